#include "bench/safety.h"

#include <stddef.h>
#include <string.h>

/* Numbers from linux/magic.h and, for what is not there, statfs(2) and the filesystem's own source. */
static const struct row {
	uint64_t magic;
	enum safety_fs fs;
	const char *name;
} table[] = {
	{0xEF53, SAFETY_FS_DISK, "ext4"},
	{0x58465342, SAFETY_FS_DISK, "xfs"},
	{0x9123683E, SAFETY_FS_DISK, "btrfs"},
	{0xF2F52010, SAFETY_FS_DISK, "f2fs"},
	{0x2FC12FC1, SAFETY_FS_DISK, "zfs"},
	{0xCA451A4E, SAFETY_FS_DISK, "bcachefs"},
	{0x3153464A, SAFETY_FS_DISK, "jfs"},
	{0x4D44, SAFETY_FS_DISK, "vfat"},
	{0x2011BAB0, SAFETY_FS_DISK, "exfat"},
	{0x01161970, SAFETY_FS_DISK, "gfs2"},
	{0x7461636F, SAFETY_FS_DISK, "ocfs2"},
	{0x52654973, SAFETY_FS_DISK, "reiserfs"},
	{0x3434, SAFETY_FS_DISK, "nilfs2"},
	{0x7366746E, SAFETY_FS_DISK, "ntfs3"},
	{0x482B, SAFETY_FS_DISK, "hfsplus"},
	{0x15013346, SAFETY_FS_DISK, "udf"},
	{0x01021994, SAFETY_FS_RAM, "tmpfs"},
	{0x858458F6, SAFETY_FS_RAM, "ramfs"},
	{0x958458F6, SAFETY_FS_RAM, "hugetlbfs"},
	{0x6969, SAFETY_FS_NETWORK, "nfs"},
	{0x517B, SAFETY_FS_NETWORK, "smb"},
	{0xFE534D42, SAFETY_FS_NETWORK, "smb2"},
	{0xFF534D42, SAFETY_FS_NETWORK, "cifs"},
	{0x00C36400, SAFETY_FS_NETWORK, "ceph"},
	{0x0BD00BD0, SAFETY_FS_NETWORK, "lustre"},
	{0x01021997, SAFETY_FS_NETWORK, "9p"},
	{0x65735546, SAFETY_FS_NETWORK, "fuse"},
	{0x5346414F, SAFETY_FS_NETWORK, "afs"},
	{0x73757245, SAFETY_FS_NETWORK, "coda"},
	{0x47504653, SAFETY_FS_NETWORK, "gpfs"},
	{0x6B414653, SAFETY_FS_NETWORK, "kafs"},
	{0x20030528, SAFETY_FS_NETWORK, "orangefs"},
	{0x19830326, SAFETY_FS_NETWORK, "beegfs"},
	{0x786F4256, SAFETY_FS_NETWORK, "vboxsf"},
	{0xBACBACBC, SAFETY_FS_NETWORK, "vmhgfs"},
	{0x9FA0, SAFETY_FS_PSEUDO, "proc"},
	{0x62656572, SAFETY_FS_PSEUDO, "sysfs"},
	{0x1CD1, SAFETY_FS_PSEUDO, "devpts"},
	{0x27E0EB, SAFETY_FS_PSEUDO, "cgroup"},
	{0x63677270, SAFETY_FS_PSEUDO, "cgroup2"},
	{0x64626720, SAFETY_FS_PSEUDO, "debugfs"},
	{0x74726163, SAFETY_FS_PSEUDO, "tracefs"},
	{0x73636673, SAFETY_FS_PSEUDO, "securityfs"},
	{0x62656570, SAFETY_FS_PSEUDO, "configfs"},
	{0xCAFE4A11, SAFETY_FS_PSEUDO, "bpf"},
	{0xDE5E81E4, SAFETY_FS_PSEUDO, "efivarfs"},
	{0x19800202, SAFETY_FS_PSEUDO, "mqueue"},
	{0x0187, SAFETY_FS_PSEUDO, "autofs"},
	{0x42494E4D, SAFETY_FS_PSEUDO, "binfmt_misc"},
	{0x6C6F6F70, SAFETY_FS_PSEUDO, "binder"},
	{0x65735543, SAFETY_FS_PSEUDO, "fusectl"},
	{0x6E736673, SAFETY_FS_PSEUDO, "nsfs"},
	{0x6165676C, SAFETY_FS_PSEUDO, "pstore"},
	{0x07655821, SAFETY_FS_PSEUDO, "resctrl"},
	{0x67596969, SAFETY_FS_PSEUDO, "rpc_pipefs"},
	{0xF97CFF8C, SAFETY_FS_PSEUDO, "selinuxfs"},
	{0x43415D53, SAFETY_FS_PSEUDO, "smackfs"},
};

enum safety_fs
safety_fs_of(uint64_t magic, const char **name)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].magic == magic) {
			*name = table[i].name;
			return table[i].fs;
		}
	}
	*name = NULL;
	return SAFETY_FS_UNKNOWN;
}

int
safety_check_path(const char *resolved, struct err *err)
{
	static const char *const never[] = {"/dev", "/proc", "/sys"};
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		size_t n = strlen(never[i]);
		if (strncmp(resolved, never[i], n) == 0 &&
			(resolved[n] == '\0' || resolved[n] == '/'))
			return err_set(err, ERR_REFUSED,
				"%s: nothing under %s is ever written to; give a folder on the "
				"disk to measure",
				resolved, never[i]);
	}
	return 0;
}

int
safety_check_fs(enum safety_fs fs, const char *name, bool has_device,
	const struct safety_allow *allow, struct err *err)
{
	const char *what = name ? name : "unknown";
	switch (fs) {
	case SAFETY_FS_DISK:
		return 0;
	case SAFETY_FS_RAM:
		return allow->ram ? 0
				  : err_set(err, ERR_REFUSED,
					    "filesystem %s is memory, not a disk; --allow-ram "
					    "measures it all the same",
					    what);
	case SAFETY_FS_NETWORK:
		return allow->network ? 0
				      : err_set(err, ERR_REFUSED,
						"filesystem %s is on the network or served by a "
						"process, others share it; --allow-network "
						"measures it all the same",
						what);
	case SAFETY_FS_PSEUDO:
		return err_set(err, ERR_REFUSED, "filesystem %s holds no files on a disk", what);
	case SAFETY_FS_UNKNOWN:
		break;
	}
	if (has_device || allow->network)
		return 0;
	return err_set(err, ERR_REFUSED,
		"filesystem %s is not known here and shows no block device; --allow-network "
		"measures it all the same",
		what);
}

int
safety_check_device(const char *name, const struct safety_allow *allow, struct err *err)
{
	bool memory = strncmp(name, "zram", 4) == 0 ||
		      (strncmp(name, "ram", 3) == 0 && name[3] >= '0' && name[3] <= '9');
	if (!memory || allow->ram)
		return 0;
	return err_set(err, ERR_REFUSED,
		"device %s is memory, not a disk; --allow-ram measures it all the same", name);
}

/* What is to stay free. */
static uint64_t
keep_b(uint64_t total_b)
{
	uint64_t least = (uint64_t)2 << 30;
	return total_b / 10 > least ? total_b / 10 : least;
}

uint64_t
safety_spare_b(uint64_t total_b, uint64_t free_b)
{
	uint64_t keep = keep_b(total_b);
	return free_b > keep ? free_b - keep : 0;
}

bool
safety_filling(uint64_t total_b, uint64_t free_b)
{
	return free_b < keep_b(total_b) / 2;
}
