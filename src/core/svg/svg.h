/*
 * svg.h - pictures as SVG 1.1 text, written piece by piece to the caller's sink.
 *
 * A picture is DPEM_SVG_WIDTH user units (CSS pixels) wide, stands alone or
 * inside a page, and has no script, no link and no font of its own.  Standing
 * alone it brings its background, light or dark as its reader prefers; inside
 * a page it takes the page's colour of text.  What it is made of is ASCII;
 * names are UTF-8.
 */
#ifndef DPEM_CORE_SVG_H
#define DPEM_CORE_SVG_H

#include <stddef.h>

#define DPEM_SVG_WIDTH	640
#define DPEM_SVG_MARGIN 20
#define DPEM_SVG_TOP	78 /* height of the heading */
#define DPEM_SVG_BOLD	1.1 /* how much wider bold text is */

typedef struct DpemSvg
{
	void		(*write)(void *to, const char *text, size_t n);
	void	   *to;
} DpemSvg;

/* what stands above a picture, UTF-8 */
typedef struct DpemCaption
{
	const char *name;
	const char *subtitle;
} DpemCaption;

/* markup of at most 1 kB by a format of printf: constants and numbers, never a name */
extern void
dpem_svg_put(const DpemSvg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A name as character data of at most `most` characters, the last of which is
 * then an ellipsis: markup is escaped, and what is no character of XML 1.0
 * (section 2.2) becomes U+FFFD.  Any bytes will do.
 */
extern void dpem_svg_name(const DpemSvg *svg, const char *name, int most);

/*
 * Characters of a UTF-8 name; how wide it is in text of `size` units, rather
 * too wide: most fonts are narrower than DejaVu Sans, whose widths these are.
 */
extern int dpem_svg_length(const char *name);
extern double dpem_svg_text_width(const char *name, double size);

/* a name as dpem_svg_name writes it, as far as there is room for it in text of `size` units */
extern void dpem_svg_name_within(const DpemSvg *svg, const char *name, double size, double width);

/*
 * Opens the picture up to its description, which the caller writes as
 * sentences; dpem_svg_heading ends it and draws the caption; dpem_svg_end
 * ends the picture.
 */
extern void dpem_svg_begin(const DpemSvg *svg, const DpemCaption *caption, double height);
extern void dpem_svg_heading(const DpemSvg *svg, const DpemCaption *caption);
extern void dpem_svg_end(const DpemSvg *svg);

/* " width='...' ..." that make a text readable on whatever is below it */
#define DPEM_SVG_HALO \
	" class=\"halo\" paint-order=\"stroke\" stroke-width=\"3\" stroke-linejoin=\"round\""

/*
 * Colour of the i-th component (from 0), as "#rrggbb".  Five of them, after
 * Okabe and Ito 2008 ("Color universal design"), darkened so that each has a
 * contrast of 3:1 to white and to the dark background (WCAG 2.1, 1.4.11), and
 * told apart by dichromats; whatever has a colour has a number, too.
 */
extern const char *dpem_svg_colour(int i);

#endif /* DPEM_CORE_SVG_H */
