/*
 * driver.c - runs a fuzz target on random bytes where libFuzzer is not used.
 *
 *   program [RUNS [SEED]]
 *
 * The same numbers make the same inputs.  A failed requirement, a sanitizer's
 * finding or ten seconds without an answer end the program; the input is then
 * in a file beside it.
 */
#include <signal.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_BYTES 2048
#define SECONDS 10

static char kept[4096];
static uint8_t input[MOST_BYTES];
static size_t size;

static void
keep_input(int signal_number)
{
	FILE	   *file = fopen(kept, "w");

	if (file != NULL)
	{
		fwrite(input, 1, size, file);
		fclose(file);
	}
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

int
main(int argc, char **argv)
{
	long		runs = argc > 1 ? atol(argv[1]) : 2000;
	uint64_t	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;

	snprintf(kept, sizeof(kept), "%s.input", argv[0]);
	signal(SIGABRT, keep_input);
	signal(SIGALRM, keep_input);
	for (long run = 0; run < runs; run++)
	{
		size = fuzz_mix(&state) % (run % 2 ? 64 : MOST_BYTES);
		for (size_t i = 0; i < size; i++)
			input[i] = (uint8_t) fuzz_mix(&state);
		alarm(SECONDS);
		(void) LLVMFuzzerTestOneInput(input, size);
	}
	alarm(0);
	printf("%ld inputs\n1 passed, 0 failed\n", runs);
	return 0;
}
