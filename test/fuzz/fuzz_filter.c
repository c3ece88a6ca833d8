/*
 * fuzz_filter.c - filters of any bytes and of words of the language in any
 * order: a place in the text, or conditions of which every reference leads somewhere.
 */
#include "fuzz.h"

#include <string.h>

#include "core/statistics/filter.h"

static const char *const words[] = {
	"a", "b", "\"C d\"", "1", "-", "2.5e3", "'x'", "'it''s'", "=", "<>", "!=", "<", "<=", ">", ">=", "(", ")", ",",
	" and ", " or ", " not ", " in ", " is ", " null ", " between ", " ", "\n", "'", "\"", ";", "--"
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static void
write_words(FuzzInput *in, char *text)
{
	size_t		used = 0;
	size_t		n = (size_t) fuzz_below(in, 400);

	for (size_t i = 0; i < n && used + 16 < DPEM_FILTER_MAX_TEXT; i++)
	{
		const char *word = words[fuzz_below(in, (int) WORDS)];

		memcpy(text + used, word, strlen(word));
		used += strlen(word);
	}
	text[used] = '\0';
}

static void
write_bytes(FuzzInput *in, char *text)
{
	int			n = fuzz_below(in, 300);

	for (int i = 0; i < n; i++)
		text[i] = (char) (1 + fuzz_below(in, 255));
	text[n] = '\0';
}

static bool
is_inside(const DpemFilter *f, const char *text)
{
	return text >= f->memory && text < f->memory + f->used &&
		memchr(text, '\0', (size_t) (f->memory + f->used - text)) != NULL;
}

static void
check_node(const DpemFilter *f, int number)
{
	const DpemFilterNode *node = &f->node[number];
	bool		pair = node->kind == DPEM_FILTER_OR || node->kind == DPEM_FILTER_AND;

	/* parts stand before the whole, so that there is no circle */
	if (pair || node->kind == DPEM_FILTER_NOT)
		REQUIRE(node->left >= 0 && node->left < number);
	if (pair)
		REQUIRE(node->right >= 0 && node->right < number);
	if (!pair && node->kind != DPEM_FILTER_NOT)
		REQUIRE(node->column >= 0 && node->column < f->columns);
	REQUIRE(node->literals >= 0 && node->literal >= 0 && node->literal + node->literals <= f->literals);
	REQUIRE(node->kind != DPEM_FILTER_COMPARE || (node->op != NULL && node->literals == 1));
	REQUIRE(node->kind != DPEM_FILTER_BETWEEN || node->literals == 2);
	REQUIRE(node->kind != DPEM_FILTER_IN || node->literals >= 1);
}

/* the words of a column of booleans that stands alone are nowhere in the text */
static bool
is_text(const DpemFilter *f, const char *text)
{
	return is_inside(f, text) || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static void
check_filter(const DpemFilter *f)
{
	REQUIRE(f->nodes >= 1 && f->nodes <= DPEM_FILTER_MAX_NODES && f->root >= 0 && f->root < f->nodes);
	for (int i = 0; i < f->nodes; i++)
		check_node(f, i);
	for (int i = 0; i < f->columns; i++)
		REQUIRE(is_inside(f, f->column[i].name) && f->column[i].name[0] != '\0');
	for (int i = 0; i < f->literals; i++)
		REQUIRE(f->literal[i].is_text ? is_text(f, f->literal[i].text) : isfinite(f->literal[i].number));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	char		text[DPEM_FILTER_MAX_TEXT + 1];
	DpemFilter *filter = malloc(sizeof(DpemFilter));
	DpemFilterError error;

	if (fuzz_one_in(&in, 3))
		write_bytes(&in, text);
	else
		write_words(&in, text);
	if (dpem_filter_parse(text, filter, &error) == DPEM_OK)
		check_filter(filter);
	else
		REQUIRE(error.position >= 0 && (size_t) error.position <= strlen(text) && error.expected != NULL);
	free(filter);
	return 0;
}
