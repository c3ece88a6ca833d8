/*
 * blas_library.c - loads the library of BLAS and LAPACK into a process when
 * it first solves something (core/numeric/blas.h).
 *
 * It comes without threads and with all signals held back: a thread that
 * OpenBLAS starts while it is loaded would spin beside the backend and could
 * be the one that a signal is delivered to.
 *
 * OpenBLAS has its kernels by names of processors, and takes those of a Pentium 4 where it is older than the processor.
 * So it is told which to take, by the instructions that the processor has, unless the server's environment does.
 */
#include "postgres.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "libpq/pqsignal.h"
#include "miscadmin.h"

#include "core/numeric/blas.h"
#include "core/pass/kernel_clone.h"
#include "server/blas_library.h"

#define THREADS "OPENBLAS_NUM_THREADS"
#define KERNELS "OPENBLAS_CORETYPE"

/*
 * OpenBLAS has 14,000 symbols that are looked up when it is loaded: among its own libraries first, not among the server's,
 * of which there are forty.  AddressSanitizer refuses to load anything so.
 */
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__)
#define OWN_SYMBOLS RTLD_DEEPBIND
#else
#define OWN_SYMBOLS 0
#endif

static const DpemBlas *loaded = NULL;

/* the names that every OpenBLAS has had since its version 0.3 */
static const char *
kernels_of_processor(void)
{
	switch (dpem_clone_best())
	{
		case DPEM_CLONE_V4:
			return "SkylakeX";
		case DPEM_CLONE_V3:
			return "Haswell";
		default:
			return NULL;
	}
}

/* dlopen with no symbol looked up before it is called */
static void *
open_quietly(const char *path)
{
	const char *threads = getenv(THREADS);
	char	   *before = threads ? pstrdup(threads) : NULL;
	const char *kernels = getenv(KERNELS) ? NULL : kernels_of_processor();
	sigset_t	all;
	sigset_t	saved;
	void	   *library;

	setenv(THREADS, "1", 1);
	if (kernels)
		setenv(KERNELS, kernels, 1);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &saved);
	library = dlopen(path, RTLD_LAZY | RTLD_LOCAL | OWN_SYMBOLS);
	sigprocmask(SIG_SETMASK, &saved, NULL);
	if (kernels)
		unsetenv(KERNELS);
	if (before)
		setenv(THREADS, before, 1);
	else
		unsetenv(THREADS);
	return library;
}

/* the table, or NULL and why not */
static const DpemBlas *
load(const char *path, const char **why)
{
	void	   *library = open_quietly(path);
	const DpemBlas *table = library ? dlsym(library, "dpem_blas_table") : NULL;

	if (table == NULL)
		*why = dlerror();
	else if (table->size != sizeof(DpemBlas))
		*why = "it belongs to another version of dpem";
	else
		return table;
	return NULL;
}

/*
 * Beside this library, which dynamic_library_path or a packager's server may
 * have found anywhere; else where libraries of extensions are.
 */
static void
write_path(char path[MAXPGPATH])
{
	Dl_info		here;

	if (dladdr(&loaded, &here) != 0 && here.dli_fname != NULL)
	{
		char		directory[MAXPGPATH];

		strlcpy(directory, here.dli_fname, sizeof(directory));
		get_parent_directory(directory);
		snprintf(path, MAXPGPATH, "%s/%s", directory, DPEM_BLAS_LIBRARY);
		if (access(path, R_OK) == 0)
			return;
	}
	snprintf(path, MAXPGPATH, "%s/%s", pkglib_path, DPEM_BLAS_LIBRARY);
}

static const DpemBlas *
find(int elevel)
{
	char		path[MAXPGPATH];
	const char *why = NULL;

	if (loaded == NULL)
	{
		write_path(path);
		loaded = load(path, &why);
		if (loaded == NULL)
			ereport(elevel,
					(errcode(ERRCODE_UNDEFINED_FILE),
					 errmsg("could not load the linear algebra library \"%s\": %s", path, why),
					 errhint("It is installed with the extension and needs the system's libraries of BLAS and LAPACK.")));
		else
			loaded->single_thread();	/* whoever loaded OpenBLAS before */
	}
	return loaded;
}

const DpemBlas *
dpem_blas(void)
{
	return find(ERROR);
}

void
dpem_blas_library_init(void)
{
	if (process_shared_preload_libraries_in_progress)
		(void) find(LOG);
}
