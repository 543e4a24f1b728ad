#include "report/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { MAX_ARGUMENTS = 8 };

/* Our ends of the child's three streams; -1 when closed. */
struct child {
	pid_t pid;
	int in, out, errors;
};

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A stream is a socket pair, not a pipe: writing to a child that has gone is then an error here and
 * no SIGPIPE, whatever the program does with that signal. */
static int
make_streams(int pairs[3][2], struct err *err)
{
	for (int i = 0; i < 3; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i]) != 0)
			return err_sys(err, errno, "socketpair");
	}
	return 0;
}

/* Arguments as posix_spawn wants them: writable, though it does not write.  false: no memory. */
static bool
copy_arguments(const char *const argv[], char *copies[MAX_ARGUMENTS])
{
	for (size_t i = 0; argv[i] && i + 1 < MAX_ARGUMENTS; i++) {
		copies[i] = strdup(argv[i]);
		if (!copies[i])
			return false;
	}
	return copies[0] != NULL;
}

/* In the child: its ends of the streams as 0, 1, 2, no signal blocked, SIGPIPE as usual. */
static int
prepare(int pairs[3][2], posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes)
{
	sigset_t none, usual;
	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	int rc = posix_spawnattr_setsigmask(attributes, &none);
	if (rc == 0)
		rc = posix_spawnattr_setsigdefault(attributes, &usual);
	if (rc == 0)
		rc = posix_spawnattr_setflags(
			attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	for (int i = 0; i < 3 && rc == 0; i++)
		rc = posix_spawn_file_actions_adddup2(actions, pairs[i][1], i);
	return rc;
}

static int
spawn(const char *const argv[], int pairs[3][2], pid_t *pid)
{
	char path[4096];
	const char *path_now = getenv("PATH");
	snprintf(path, sizeof(path), "PATH=%s", path_now ? path_now : "/usr/bin:/bin");
	char locale[] = "LC_ALL=C.UTF-8";
	char *const environment[] = {path, locale, NULL};
	char *copies[MAX_ARGUMENTS] = {NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return ENOMEM;
	int rc = posix_spawnattr_init(&attributes);
	if (rc == 0) {
		rc = copy_arguments(argv, copies) ? prepare(pairs, &actions, &attributes) : ENOMEM;
		if (rc == 0)
			rc = posix_spawnp(pid, argv[0], &actions, &attributes, copies, environment);
		posix_spawnattr_destroy(&attributes);
	}
	for (size_t i = 0; i < MAX_ARGUMENTS; i++)
		free(copies[i]);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static int
start(const char *const argv[], struct child *c, struct err *err)
{
	int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	int rc = make_streams(pairs, err);
	if (rc == 0) {
		int errnum = spawn(argv, pairs, &c->pid);
		if (errnum == ENOENT)
			rc = err_set(err, ERR_NOT_FOUND, "%s: not found in PATH", argv[0]);
		else if (errnum)
			rc = err_sys(err, errnum, "%s", argv[0]);
	}
	for (int i = 0; i < 3; i++)
		close_fd(&pairs[i][1]);
	c->in = pairs[0][0];
	c->out = pairs[1][0];
	c->errors = pairs[2][0];
	if (rc) {
		close_fd(&c->in);
		close_fd(&c->out);
		close_fd(&c->errors);
	}
	return rc;
}

static void
feed(struct child *c, const struct buf *input, size_t *sent)
{
	ssize_t n = send(
		c->in, buf_text(input) + *sent, input->len - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n > 0)
		*sent += (size_t)n;
	bool gone = n < 0 && errno != EAGAIN && errno != EINTR;
	if (gone || *sent == input->len)
		close_fd(&c->in);
}

static void
drain(int *fd, struct buf *into)
{
	char block[16384];
	ssize_t n = read(*fd, block, sizeof(block));
	if (n > 0)
		buf_putn(into, block, (size_t)n);
	else if (n == 0 || errno != EINTR)
		close_fd(fd);
}

/* Move bytes until the child has closed its output, or the time is over: then false. */
static bool
talk(struct child *c, const struct buf *input, int64_t until_ns, struct buf *out,
	struct buf *errors)
{
	size_t sent = 0;
	if (input->len == 0)
		close_fd(&c->in);
	while (c->out >= 0 || c->errors >= 0) {
		int64_t left_ns = until_ns - clock_ns();
		if (left_ns <= 0)
			return false;
		struct pollfd fds[3] = {
			{.fd = c->in, .events = POLLOUT},
			{.fd = c->out, .events = POLLIN},
			{.fd = c->errors, .events = POLLIN},
		};
		if (poll(fds, 3, (int)(left_ns / 1000000) + 1) <= 0)
			continue;
		if (fds[0].revents)
			feed(c, input, &sent);
		if (fds[1].revents)
			drain(&c->out, out);
		if (fds[2].revents)
			drain(&c->errors, errors);
	}
	return true;
}

/* Wait for the end of the child, at most until then; kill it when it does not end. */
static int
finish(pid_t pid, int64_t until_ns, bool kill_now)
{
	int status = -1;
	pid_t done = 0;
	while (!kill_now && done == 0 && clock_ns() < until_ns) {
		done = waitpid(pid, &status, WNOHANG);
		if (done == 0)
			poll(NULL, 0, 2);
		if (done < 0 && errno == EINTR)
			done = 0;
	}
	if (done == 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	return done > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
process_run(const char *const argv[], const struct buf *input, int timeout_s, struct buf *out,
	struct err *err)
{
	struct child c = {.in = -1, .out = -1, .errors = -1};
	int rc = start(argv, &c, err);
	if (rc)
		return rc;
	struct buf errors;
	buf_init(&errors, 4096);
	int64_t until_ns = clock_ns() + (int64_t)timeout_s * 1000000000;
	bool in_time = talk(&c, input, until_ns, out, &errors);
	close_fd(&c.in);
	close_fd(&c.out);
	close_fd(&c.errors);
	int status = finish(c.pid, until_ns, !in_time);
	const char *said = buf_text(&errors);
	size_t length = strlen(said); /* the end of it is what matters */
	said += length > 300 ? length - 300 : strspn(said, " \n");
	if (!in_time)
		rc = err_set(err, ERR_IO, "%s: stopped after %d s", argv[0], timeout_s);
	else if (status != 0)
		rc = err_set(err, ERR_IO, "%s: failed: %.300s", argv[0], *said ? said : "no word");
	else
		rc = buf_check(out, err);
	buf_fini(&errors);
	return rc;
}
