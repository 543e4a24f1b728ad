/*
 * predict_workload.c - the documents behind `tierwise predict --workload`: workload, engine, machine, and a
 * disk for the log and one for the data.
 */
#include "cli/predict_workload.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/engine_load.h"
#include "cli/model_load.h"
#include "cli/predict_calibrate.h"
#include "cli/predict_parts.h"
#include "price/limits.h"

/* One "key=value" behind the file of --wal or --data. */
static int
put_cap(const char *option, const char *text, struct disk_caps *caps, const char **sku,
	struct err *err)
{
	static const char *const keys[] = {"sku=", "iops=", "mbps=", "stripe="};
	double *const values[] = {NULL, &caps->iops, &caps->mbps, &caps->stripe};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i]);
		if (strncmp(text, keys[i], n) != 0)
			continue;
		if (!values[i]) {
			*sku = text + n;
			return 0;
		}
		double most = i == 3 ? 1024 : 1e9, v = NAN;
		if (units_parse_count(text + n, &v, NULL) || !(v >= 1 && v <= most))
			return err_set(err, ERR_USAGE, "%s: %.60s: 1 to %.10g", option, text, most);
		*values[i] = v;
		return 0;
	}
	return err_set(err, ERR_USAGE,
		"%s: \"%.60s\": MODEL[,sku=NAME][,iops=N][,mbps=N][,stripe=N]", option, text);
}

/* "premium.json,sku=P30,stripe=2": the model, and the caps it is asked under. */
static int
load_volume(struct cli_common *c, const char *option, const char *text, struct predict_volume *v,
	struct doc *d, struct err *err)
{
	char *copy = arena_strdup(&c->arena, text), *rest = copy, *part;
	const char *sku = NULL;
	if (!copy)
		return err_nomem(err);
	db_disk_clear(&v->disk);
	v->path = strsep(&rest, ",");
	while ((part = strsep(&rest, ","))) {
		int rc = put_cap(option, part, &v->disk.caps, &sku, err);
		if (rc)
			return rc;
	}
	int rc = model_load_file(c, v->path, &v->model, err);
	struct predict_sold sold = {c, sku, &v->disk.caps};
	if (rc == 0)
		rc = predict_caps(&sold, &v->model, d, err);
	v->disk.model = &v->model;
	v->disk.what = sku ? sku : v->model.name;
	v->given = rc == 0;
	return rc;
}

/* The machine named, else the workload's first; NULL where its provider has no limits. */
static int
find_machine(struct cli_common *c, const char *given, struct predict_database *p, struct err *err)
{
	const struct workload *w = &p->workload;
	const char *size = given ? given : w->vm ? w->vm->sizes[0] : NULL;
	const struct limits *limits = NULL;
	if (!size)
		return 0;
	if (!given && w->vm->n_sizes > 1)
		findings_add(&p->findings, SEVERITY_NOTE, "first-machine",
			"name another with --machine", "the first of %zu machine sizes counts: %s",
			w->vm->n_sizes, size);
	const char *family = arena_printf(&c->arena, "%s/", w->provider ? w->provider : "");
	int rc = family ? model_limits(c, family, &limits, err) : err_nomem(err);
	if (rc || !limits) {
		findings_add(&p->findings, SEVERITY_WARNING, "cores-unknown",
			"name a provider whose limits are in pricing/",
			"%s: no limits of its provider, so its cores and caps are not known", size);
		return rc;
	}
	return limits_vm(limits, size, &p->machine, err);
}

static void
put_machine(const struct predict_database *p, struct predict_volume *v)
{
	const struct vm_limit *m = p->machine;
	if (!m)
		return;
	v->disk.machine = (struct db_machine){
		.iops = m->uncached_iops, .mbps = m->uncached_mbps, .what = m->sku};
}

static bool
has_role(const struct workload *w, int role)
{
	for (size_t i = 0; i < w->n_volumes; i++) {
		if (w->volumes[i].role == role)
			return true;
	}
	return false;
}

/* Which disks are needed: the data volume's, and the log's where it has its own. */
static int
load_volumes(struct cli_common *c, const struct predict_workload_asked *a,
	struct predict_database *p, struct doc *d, struct err *err)
{
	bool own_log = has_role(&p->workload, WORKLOAD_WAL);
	if (!a->data && !a->log)
		return err_set(err, ERR_USAGE, "give the disks: --data MODEL%s",
			own_log ? " and --wal MODEL" : "");
	if (own_log && a->data && !a->log)
		return err_set(
			err, ERR_USAGE, "the workload has a log volume of its own: --wal MODEL");
	if (!a->data)
		return err_set(err, ERR_USAGE, "--data MODEL is missing");
	int rc = load_volume(c, "--data", a->data, &p->data, d, err);
	if (rc == 0 && a->log)
		rc = load_volume(c, "--wal", a->log, &p->log, d, err);
	put_machine(p, &p->data);
	put_machine(p, &p->log);
	return rc;
}

static int
solve(struct cli_common *c, const struct predict_workload_asked *a, struct predict_database *p,
	struct doc *d, struct err *err)
{
	struct db_volume data = db_disk_volume(&p->data.disk);
	struct db_volume log = p->log.given ? db_disk_volume(&p->log.disk) : data;
	double cores = p->machine ? p->machine->vcpus : (double)NAN;
	p->input = (struct db_input){
		.engine = &p->engine, .log = &log, .data = &data, .shared = !p->log.given};
	int rc = transaction_of(&p->workload, &p->engine, cores, &p->findings, &p->input.tx, err);
	if (rc == 0 && a->runs.n)
		rc = predict_calibrate(c, &a->runs, p, d, err);
	if (rc == 0)
		rc = db_solve(&p->input, &p->findings, &p->result, err);
	p->input.log = p->input.data = NULL;
	return rc;
}

int
predict_workload(struct cli_common *c, const struct predict_workload_asked *a, struct err *err)
{
	struct predict_database *p = arena_alloc(&c->arena, sizeof(*p));
	struct engine_document engine;
	struct doc d;
	if (!p)
		return err_nomem(err);
	findings_init(&p->findings, &c->arena);
	int rc = cli_keep_input(c, a->workload, err);
	rc = rc ? rc : workload_load(a->workload, &c->arena, &p->workload, NULL, err);
	rc = rc ? rc : engine_load(c, &p->workload, a->engine, &engine, NULL, NULL, err);
	rc = rc ? rc : transaction_engine(&p->workload, &engine, &c->arena, &p->engine, err);
	rc = rc ? rc : find_machine(c, a->machine, p, err);
	if (rc)
		return rc;
	doc_init(&d, &c->arena,
		arena_printf(&c->arena, "Predicted transactions of %s", p->workload.name));
	rc = load_volumes(c, a, p, &d, err);
	rc = rc ? rc : solve(c, a, p, &d, err);
	if (rc)
		return rc;
	struct predict_verdicts verdicts = {0};
	predict_database_doc(p, &d, &verdicts);
	rc = cli_output(c, &d, NULL, NULL, err);
	return rc ? rc : predict_verdicts_check(&verdicts, err);
}
