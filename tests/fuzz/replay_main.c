/*
 * replay_main.c - run a fuzz target over a corpus without a fuzzer: each argument is a file or a
 * folder of files.  Fails when there was nothing to replay, so an empty corpus cannot pass.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		return 0;
	}
	size_t cap = (size_t)1 << 20;
	uint8_t *data = malloc(cap);
	size_t n = data ? fread(data, 1, cap, f) : 0;
	fclose(f);
	if (!data)
		return 0;
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	return 1;
}

static int
replay(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		perror(path);
		return 0;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path);
	DIR *d = opendir(path);
	int n = 0;
	for (struct dirent *e; d && (e = readdir(d));) {
		char name[4096];
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		n += replay_file(name);
	}
	if (d)
		closedir(d);
	return n;
}

int
main(int argc, char **argv)
{
	int n = 0;
	for (int i = 1; i < argc; i++)
		n += replay(argv[i]);
	printf("%d inputs replayed\n", n);
	return n > 0 ? 0 : 1;
}
