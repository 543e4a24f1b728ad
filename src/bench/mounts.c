#include "bench/mounts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/buf.h"
#include "base/file.h"

/* One character of mountinfo, decoding \\ooo; *p moves past it. */
static char
decode(const char **p)
{
	const char *c = *p;
	if (c[0] == '\\' && strspn(c + 1, "01234567") >= 3) {
		*p = c + 4;
		return (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + (c[3] - '0'));
	}
	*p = c + 1;
	return *c;
}

/* Copy the next word, decoded; the rest of the line after it. */
static const char *
word(const char *p, char *out, size_t size)
{
	size_t n = 0;
	p += strspn(p, " ");
	while (*p && *p != ' ' && *p != '\n') {
		char c = decode(&p);
		if (n + 1 < size)
			out[n++] = c;
	}
	if (size > 0)
		out[n] = '\0';
	return p;
}

/*
 * Append the options of the next word, whole ones only, as they are written: a comma inside a value
 * is \\054 there.  Left out are those of the filesystem that the mount's own already say, and the
 * lower folders of an overlay, which may fill pages.
 */
static const char *
add_options(char *options, size_t size, const char *p)
{
	static const char *const skip[] = {"rw", "ro", "lowerdir=", "lowerdir+="};
	size_t len = strlen(options);
	bool first = len == 0;
	p += strspn(p, " ");
	while (*p && *p != ' ' && *p != '\n') {
		size_t n = strcspn(p, ", \n");
		bool wanted = n > 0 && len + n + 2 <= size;
		for (size_t i = 0; i < sizeof(skip) / sizeof(skip[0]) && !first; i++) {
			size_t key = strlen(skip[i]);
			bool whole = skip[i][key - 1] != '=';
			if (strncmp(p, skip[i], key) == 0 && (!whole || n == key))
				wanted = false;
		}
		if (wanted) {
			if (len > 0)
				options[len++] = ',';
			memcpy(options + len, p, n);
			len += n;
			options[len] = '\0';
		}
		p += n + (p[n] == ',');
	}
	return p;
}

/* One line: id parent major:minor root point options [tags...] - fstype source options */
static bool
parse_line(const char *line, struct mount_entry *m)
{
	char text[MOUNT_TEXT];
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
	p = add_options(m->options, sizeof(m->options), p);
	do {
		p = word(p, text, sizeof(text));
	} while (*text && strcmp(text, "-") != 0);
	p = word(p, m->fstype, sizeof(m->fstype));
	p = word(p, m->source, sizeof(m->source));
	add_options(m->options, sizeof(m->options), p);
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
		size_t len = strcspn(p, ","), used = 0;
		if (len <= n || strncmp(p, key, n) != 0 || p[n] != '=' || len - n - 1 >= size)
			continue;
		for (const char *c = p + n + 1; c < p + len;)
			value[used++] = decode(&c);
		value[used] = '\0';
		return true;
	}
	return false;
}
