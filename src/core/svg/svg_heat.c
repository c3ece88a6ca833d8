/*
 * svg_heat.c - numbers as colours: see svg_table.h.
 */
#include <math.h>

#include "core/svg/svg_table.h"

#define LINE			24
#define WIDEST_CELL		96
#define NAMES			200		/* room for the name of a line */
#define NAMES_TOLD		40		/* characters of it in the description */
#define STRONGEST		0.75	/* opacity of 1 and -1, on which text can still be read */

static double
name_width(const DpemSvgHeat *heat)
{
	double		widest = 0;

	for (int i = 0; i < heat->lines; i++)
		widest = fmax(widest, dpem_svg_text_width(heat->name[i], 12));
	return fmin(widest, NAMES);
}

static void
draw_cell(const DpemSvg *svg, double value, double most, double x, double y, double width)
{
	dpem_svg_put(svg, "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"3\" fill=\"%s\" fill-opacity=\"%.2f\"/>",
				 x, y, width - 3, LINE - 3, dpem_svg_colour(value >= 0 ? 0 : 1),
				 isfinite(value) ? STRONGEST * fmin(fabs(value) / most, 1) : 0);
	if (fabs(value) < 0.005)	/* not -0.00 */
		value = 0;
	if (isfinite(value))
		dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\">%.2f</text>\n",
					 x + (width - 3) / 2, y + 15, value);
}

static void
draw_line(const DpemSvg *svg, const DpemSvgHeat *heat, int i, double x, double width)
{
	double		y = DPEM_SVG_TOP + LINE * i;

	dpem_svg_put(svg, "<g class=\"line\"><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x - 8, y + 15);
	dpem_svg_name_within(svg, heat->name[i], 12, NAMES);
	dpem_svg_put(svg, "</text>\n");
	for (int j = 0; j < heat->columns; j++)
		draw_cell(svg, heat->value[i * heat->columns + j], heat->most > 0 ? heat->most : 1, x + width * j, y, width);
	dpem_svg_put(svg, "</g>\n");
}

static void
describe(const DpemSvg *svg, const DpemSvgHeat *heat)
{
	dpem_svg_put(svg, " %s.", heat->note);
	for (int i = 0; i < heat->lines; i++)
	{
		dpem_svg_put(svg, " ");
		dpem_svg_name(svg, heat->name[i], NAMES_TOLD);
		for (int j = 0; j < heat->columns; j++)
		{
			double		value = heat->value[i * heat->columns + j];

			dpem_svg_put(svg, isfinite(value) ? " %.2f" : " unknown", value);
		}
		dpem_svg_put(svg, ".");
	}
}

void
dpem_svg_heat(const DpemSvg *svg, const DpemSvgHeat *heat)
{
	double		x = DPEM_SVG_MARGIN + name_width(heat) + 8;
	double		width = fmin((DPEM_SVG_WIDTH - DPEM_SVG_MARGIN - x) / heat->columns, WIDEST_CELL);
	double		bottom = DPEM_SVG_TOP + LINE * heat->lines;

	dpem_svg_begin(svg, &heat->caption, bottom + 34);
	describe(svg, heat);
	dpem_svg_heading(svg, &heat->caption);
	for (int j = 0; j < heat->columns && heat->column_name; j++)
	{
		dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-weight=\"600\">", x + width * (j + 0.5), DPEM_SVG_TOP - 10);
		dpem_svg_name_within(svg, heat->column_name[j], 12 * DPEM_SVG_BOLD, width - 3);
		dpem_svg_put(svg, "</text>\n");
	}
	for (int j = 0; j < heat->columns && !heat->column_name; j++)
		dpem_svg_put(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-weight=\"600\">%s%s%d</text>\n",
					 x + width * (j + 0.5), DPEM_SVG_TOP - 10, width > 70 ? heat->head : "", width > 70 ? " " : "", j + 1);
	for (int i = 0; i < heat->lines; i++)
		draw_line(svg, heat, i, x, width);
	dpem_svg_put(svg, "<text x=\"%d\" y=\"%.1f\" opacity=\"0.75\">%s</text>\n", DPEM_SVG_MARGIN, bottom + 20, heat->note);
	dpem_svg_end(svg);
}
