/*
 * svg.c - see svg.h.
 */
#include "core/svg/svg.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_MOST	60
#define REPLACEMENT "&#65533;"

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#c2629a", "#3f9bd8"};

const char *
dpem_svg_colour(int i)
{
	return colours[i % (int) (sizeof(colours) / sizeof(colours[0]))];
}

void
dpem_svg_put(const DpemSvg *svg, const char *format, ...)
{
	char		text[1024];
	va_list		arguments;
	int			n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	assert(n >= 0 && n < (int) sizeof(text));
	svg->write(svg->to, text, (size_t) n);
}

/* bytes of the UTF-8 character at s, 0 if there is none */
static size_t
character(const unsigned char *s)
{
	size_t		n = s[0] < 0x80 ? 1 :
			   s[0] < 0xC2 ? 0 :
			   s[0] < 0xE0 ? 2 :
			   s[0] < 0xF0 ? 3 :
			   s[0] < 0xF5 ? 4 :
							 0;

	for (size_t i = 1; i < n; i++)
	{
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	}
	return n;
}

/* surrogates, U+FFFE and U+FFFF, three bytes each */
static int
is_no_xml(const unsigned char *s)
{
	return (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE);
}

static const char *
escape_of(const unsigned char *s, size_t n)
{
	switch (s[0])
	{
		case '&':
			return "&amp;";
		case '<':
			return "&lt;";
		case '>':
			return "&gt;";
		case '"':
			return "&quot;";
		case '\'':
			return "&#39;";
		default:
			return n == 0 || s[0] < 0x20 || s[0] == 0x7F || (n == 3 && is_no_xml(s)) ? REPLACEMENT :
																					   NULL;
	}
}

int
dpem_svg_length(const char *name)
{
	int			length = 0;

	for (const unsigned char *s = (const unsigned char *) name; *s != 0; length++)
	{
		size_t		n = character(s);

		s += n > 0 ? n : 1;
	}
	return length;
}

static double
character_width(const unsigned char *s, size_t n)
{
	if (n > 1)
		return n == 2 ? 0.8 :
			   n == 3 ? 1 :
						1.3;
	if (*s != 0 && strchr("fijlrtI!'(),-./:;[]|` ", *s) != NULL)
		return 0.42;
	if (*s != 0 && strchr("mwMW@%", *s) != NULL)
		return 1;
	return *s >= '0' && *s <= '9' ? 0.64 :
		   *s < 'a'				  ? 0.84 :
									0.64;
}

double
dpem_svg_text_width(const char *name, double size)
{
	double		width = 0;

	for (const unsigned char *s = (const unsigned char *) name; *s != 0;)
	{
		size_t		n = character(s);

		width += character_width(s, n);
		s += n > 0 ? n : 1;
	}
	return width * size;
}

void
dpem_svg_name_within(const DpemSvg *svg, const char *name, double size, double width)
{
	int			length = dpem_svg_length(name);
	double		room = width / size - 1; /* besides the ellipsis */
	int			most = 1;

	for (const unsigned char *s = (const unsigned char *) name; *s != 0; most++)
	{
		size_t		n = character(s);

		room -= character_width(s, n);
		if (room < 0)
			break;
		s += n > 0 ? n : 1;
	}
	if (dpem_svg_text_width(name, size) <= width)
		most = length;
	else if (most == length)
		most--;
	dpem_svg_name(svg, name, most);
}

void
dpem_svg_name(const DpemSvg *svg, const char *name, int most)
{
	const unsigned char *s = (const unsigned char *) name;
	int			cut = dpem_svg_length(name) > most;

	for (int i = 0; *s != 0 && i < most - cut; i++)
	{
		size_t		n = character(s);
		const char *escape = escape_of(s, n);

		if (escape != NULL)
			svg->write(svg->to, escape, strlen(escape));
		else
			svg->write(svg->to, (const char *) s, n);
		s += n > 0 ? n : 1;
	}
	if (cut)
		dpem_svg_put(svg, "&#8230;");
}

void
dpem_svg_begin(const DpemSvg *svg, const DpemCaption *caption, double height)
{
	dpem_svg_put(
		svg,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dpem\" role=\"img\" width=\"%d\" height=\"%.0f\""
		" viewBox=\"0 0 %d %.0f\" fill=\"currentColor\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>",
		DPEM_SVG_WIDTH, height, DPEM_SVG_WIDTH, height);
	dpem_svg_name(svg, caption->name, NAME_MOST);
	dpem_svg_put(svg, "</title>\n<desc>");
	dpem_svg_name(svg, caption->subtitle, 4 * NAME_MOST);
	dpem_svg_put(svg, ".");
}

void
dpem_svg_heading(const DpemSvg *svg, const DpemCaption *caption)
{
	dpem_svg_put(
		svg,
		"</desc>\n<style>.dpem{max-width:100%%;height:auto}.dpem:root{color:#1f2328;background:#fff}"
		".dpem:root .halo{stroke:#fff}"
		"@media (prefers-color-scheme:dark){.dpem:root{color:#e6edf3;background:#0d1117}"
		".dpem:root .halo{stroke:#0d1117}}</style>\n");
	dpem_svg_put(svg, "<text x=\"%d\" y=\"26\" font-size=\"16\" font-weight=\"600\">",
				 DPEM_SVG_MARGIN);
	dpem_svg_name_within(svg, caption->name, DPEM_SVG_BOLD * 16,
						 DPEM_SVG_WIDTH - 2 * DPEM_SVG_MARGIN);
	dpem_svg_put(svg, "</text>\n<text x=\"%d\" y=\"45\" opacity=\"0.7\">", DPEM_SVG_MARGIN);
	dpem_svg_name_within(svg, caption->subtitle, 12, DPEM_SVG_WIDTH - 2 * DPEM_SVG_MARGIN);
	dpem_svg_put(svg, "</text>\n");
}

void
dpem_svg_end(const DpemSvg *svg)
{
	dpem_svg_put(svg, "</svg>\n");
}
