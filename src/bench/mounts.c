#include "bench/mounts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/buf.h"
#include "base/file.h"

/* Copy the next word, decoding \ooo; the rest of the line after it. */
static const char *
word(const char *p, char *out, size_t size)
{
	size_t n = 0;
	p += strspn(p, " ");
	while (*p && *p != ' ' && *p != '\n') {
		int c = (unsigned char)*p++;
		if (c == '\\' && strspn(p, "01234567") >= 3) {
			c = (p[0] - '0') * 64 + (p[1] - '0') * 8 + (p[2] - '0');
			p += 3;
		}
		if (n + 1 < size)
			out[n++] = (char)c;
	}
	if (size > 0)
		out[n] = '\0';
	return p;
}

/* Append the options of the filesystem that the mount's own do not already say. */
static void
add_options(char *options, size_t size, const char *more)
{
	char copy[MOUNT_TEXT];
	snprintf(copy, sizeof(copy), "%s", more);
	char *rest = NULL;
	for (char *o = strtok_r(copy, ",", &rest); o; o = strtok_r(NULL, ",", &rest)) {
		size_t len = strlen(options), n = strlen(o);
		bool known = strcmp(o, "rw") == 0 || strcmp(o, "ro") == 0;
		if (!known && len + n + 2 <= size)
			snprintf(options + len, size - len, ",%s", o);
	}
}

/* One line: id parent major:minor root point options [tags...] - fstype source options */
static bool
parse_line(const char *line, struct mount_entry *m)
{
	char text[MOUNT_TEXT], super[MOUNT_TEXT];
	memset(m, 0, sizeof(*m));
	const char *p = word(line, text, sizeof(text));
	m->id = strtoull(text, NULL, 10);
	p = word(p, text, sizeof(text)); /* parent */
	p = word(p, text, sizeof(text));
	char *colon;
	m->major = (unsigned)strtoul(text, &colon, 10);
	m->minor = *colon == ':' ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
	p = word(p, text, sizeof(text)); /* root */
	p = word(p, m->point, sizeof(m->point));
	p = word(p, m->options, sizeof(m->options));
	do {
		p = word(p, text, sizeof(text));
	} while (*text && strcmp(text, "-") != 0);
	p = word(p, m->fstype, sizeof(m->fstype));
	p = word(p, m->source, sizeof(m->source));
	word(p, super, sizeof(super));
	add_options(m->options, sizeof(m->options), super);
	return *m->fstype != '\0';
}

static bool
find(const char *text, bool (*match)(const struct mount_entry *m, const void *what),
	const void *what, struct mount_entry *m)
{
	struct mount_entry one;
	bool found = false;
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line && parse_line(line, &one) && match(&one, what)) {
			*m = one; /* the last: a later mount hides an earlier one */
			found = true;
		}
	}
	return found;
}

static bool
same_id(const struct mount_entry *m, const void *what)
{
	return m->id == *(const uint64_t *)what;
}

static bool
same_device(const struct mount_entry *m, const void *what)
{
	return makedev(m->major, m->minor) == *(const dev_t *)what;
}

bool
mount_parse(const char *text, uint64_t id, struct mount_entry *m)
{
	return find(text, same_id, &id, m);
}

bool
mount_of_fd(int fd, struct mount_entry *m)
{
	struct statx stx;
	struct buf text;
	buf_init(&text, 8 << 20);
	bool found = false;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &stx) == 0 &&
		file_read("/proc/self/mountinfo", &text, NULL) == 0) {
		dev_t dev = makedev(stx.stx_dev_major, stx.stx_dev_minor);
		found = stx.stx_mask & STATX_MNT_ID
				? mount_parse(buf_text(&text), stx.stx_mnt_id, m)
				: find(buf_text(&text), same_device, &dev, m);
	}
	buf_fini(&text);
	return found;
}

bool
mount_option(const char *options, const char *key, char *value, size_t size)
{
	size_t n = strlen(key);
	for (const char *p = options; *p; p += strcspn(p, ","), p += *p == ',') {
		size_t len = strcspn(p, ",");
		if (len <= n || strncmp(p, key, n) != 0 || p[n] != '=' || len - n - 1 >= size)
			continue;
		memcpy(value, p + n + 1, len - n - 1);
		value[len - n - 1] = '\0';
		return true;
	}
	return false;
}
