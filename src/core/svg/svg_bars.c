/*
 * svg_bars.c - lists of terms with bars, list beside list: see svg_table.h.
 */
#include <math.h>

#include "core/svg/svg_table.h"

#define ACROSS	   2 /* lists beside each other */
#define GAP		   24
#define WIDTH	   ((DPEM_SVG_WIDTH - 2 * DPEM_SVG_MARGIN - GAP * (ACROSS - 1)) / ACROSS)
#define HEAD	   26
#define LINE	   19
#define NAMES	   104 /* room for a term */
#define NUMBERS	   44	/* and for its number */
#define BARS	   (WIDTH - NAMES - NUMBERS)
#define NAMES_TOLD 40 /* characters of a term in the description */

static double
longest(const DpemSvgBars *s)
{
	double		weight = 0;

	for (int i = 0; i < s->lists * s->lines; i++)
		weight = fmax(weight, s->bar[i].weight);
	return weight;
}

static void
draw_bar(const DpemSvg *svg, const DpemSvgBar *bar, const char *colour, double length, double x,
		 double y)
{
	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x + NAMES - 8, y + 13);
	dpem_svg_name_within(svg, bar->name, 12, NAMES - 8);
	dpem_svg_put(svg,
				 "</text><rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\""
				 " rx=\"2\" fill=\"%s\"/>",
				 x + NAMES, y + 2, fmax(length * BARS, 1), LINE - 5, colour);
	dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" opacity=\"0.75\">%.*f</text>\n",
				 x + NAMES + fmax(length * BARS, 1) + 5, y + 13, bar->weight < 0.09995 ? 2 : 1, 100 * bar->weight);
}

static void
draw_list(const DpemSvg *svg, const DpemSvgBars *s, int i, double scale)
{
	double		x = DPEM_SVG_MARGIN + i % ACROSS * (WIDTH + GAP);
	double		y = DPEM_SVG_TOP - 12 + i / ACROSS * (HEAD + LINE * s->lines + GAP);

	dpem_svg_put(svg, "<g class=\"list\">\n<text x=\"%.1f\" y=\"%.1f\"><tspan font-weight=\"600\">%s %d</tspan>"
				 "<tspan dx=\"8\" opacity=\"0.75\">%.3g %%</tspan></text>\n",
				 x + NAMES, y + 14, s->head, s->list[i].number, 100 * s->list[i].weight);
	for (int j = 0; j < s->lines; j++)
		draw_bar(svg, &s->bar[i * s->lines + j], dpem_svg_colour(i), s->bar[i * s->lines + j].weight / scale,
				 x, y + HEAD + LINE * j);
	dpem_svg_put(svg, "</g>\n");
}

static void
describe(const DpemSvg *svg, const DpemSvgBars *s)
{
	dpem_svg_put(svg, " %s.", s->note);
	for (int i = 0; i < s->lists; i++)
	{
		dpem_svg_put(svg, " %s %d, %.3g %%:", s->head, s->list[i].number, 100 * s->list[i].weight);
		for (int j = 0; j < s->lines; j++)
		{
			dpem_svg_put(svg, j == 0 ? " " : ", ");
			dpem_svg_name(svg, s->bar[i * s->lines + j].name, NAMES_TOLD);
			dpem_svg_put(svg, " %.3g %%", 100 * s->bar[i * s->lines + j].weight);
		}
		dpem_svg_put(svg, ".");
	}
}

void
dpem_svg_bars(const DpemSvg *svg, const DpemSvgBars *s)
{
	int			rows = (s->lists + ACROSS - 1) / ACROSS;
	double		bottom = DPEM_SVG_TOP - 12 + rows * (HEAD + LINE * s->lines + GAP);
	double		scale = longest(s);

	dpem_svg_begin(svg, &s->caption, bottom + 20);
	describe(svg, s);
	dpem_svg_heading(svg, &s->caption);
	for (int i = 0; i < s->lists; i++)
		draw_list(svg, s, i, scale);
	dpem_svg_put(svg, "<text x=\"%d\" y=\"%.1f\" opacity=\"0.75\">%s</text>\n", DPEM_SVG_MARGIN, bottom + 4, s->note);
	dpem_svg_end(svg);
}
