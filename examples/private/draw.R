# Charts as tables and SVG, which take their colours from style.css.  Each is drawn from rows with label, value,
# ci_lower and ci_upper.

WIDTH <- 560
HEIGHT <- 250
LEFT <- 56
BOTTOM <- 30
TOP <- 10

node <- function(name, ...) htmltools::tag(name, list(...))

number <- function(x) ifelse(is.na(x), "\u2013", format(round(x, ifelse(abs(x) < 100, 1, 0)), big.mark = ",", trim = TRUE, drop0trailing = TRUE))

# ---- rows of a table: a label, a mark with its interval, the number ------------

# A row's marks, in per cent of the widest interval.
track <- function(row, low, high, marks) {
    at <- function(x) sprintf("%.2f%%", 100 * (x - low) / (high - low))
    span <- function(class, from, to) tags$i(class = class, style = paste0("left:", at(from), ";width:calc(", at(to), " - ", at(from), ")"))
    tags$td(class = "track", div(
        if (marks == "bar") span("bar", min(0, row$value), max(0, row$value)) else tags$i(class = "point", style = paste0("left:", at(row$value))),
        span("whisker", row$ci_lower, row$ci_upper)))
}

table_of <- function(rows, low, high, marks, title) {
    line <- function(i) {
        half <- (rows$ci_upper[i] - rows$ci_lower[i]) / 2
        tags$tr(tags$th(scope = "row", rows$label[i]), track(rows[i, ], low, high, marks),
            tags$td(class = "number", vapply(rows$value[i], number, ""), tags$small(paste0(" \u00b1 ", number(half)))))
    }
    tags$table(class = "rows", tags$caption(title), tags$tbody(lapply(seq_len(nrow(rows)), line)))
}

# Ends of an axis that has room for every interval.
ends <- function(rows) range(rows$value, rows$ci_lower, rows$ci_upper, na.rm = TRUE)

bars <- function(rows, title) table_of(rows, min(0, ends(rows)), max(1, ends(rows)), "bar", title)

points <- function(rows, title) {
    around <- ends(rows)
    margin <- max(diff(around) / 10, 1e-9)
    table_of(rows, around[1] - margin, around[2] + margin, "point", title)
}

sentences <- function(rows, title)
    div(class = "sentences", Map(function(label, value) p(sprintf(label, number(value))), rows$label, rows$value))

# ---- SVG: marks side by side over an axis --------------------------------------

across <- function(i, n) LEFT + (WIDTH - LEFT) * (i - 0.5) / n

axis_of <- function(rows) {
    ticks <- pretty(c(0, max(1, ends(rows))), 4)
    low <- min(0, ends(rows))
    list(ticks = ticks, y = function(v) TOP + (HEIGHT - TOP - BOTTOM) * (max(ticks) - v) / (max(ticks) - low))
}

grid <- function(axis) lapply(axis$ticks, function(v) list(
    node("line", class = "grid", x1 = LEFT, x2 = WIDTH, y1 = axis$y(v), y2 = axis$y(v)),
    node("text", x = LEFT - 8, y = axis$y(v) + 4, `text-anchor` = "end", number(v))))

# Labels below, as many of them as there is room for.
below <- function(labels) {
    n <- length(labels)
    every <- ceiling(n * (max(nchar(labels)) * 8 + 8) / (WIDTH - LEFT))
    lapply(seq(1, n, by = every), function(i)
        node("text", x = across(i, n), y = HEIGHT - 10, `text-anchor` = "middle", labels[i]))
}

whiskers <- function(rows, axis) lapply(seq_len(nrow(rows)), function(i)
    node("line", class = "whisker", x1 = across(i, nrow(rows)), x2 = across(i, nrow(rows)), y1 = axis$y(rows$ci_lower[i]), y2 = axis$y(rows$ci_upper[i])))

# What a mark says when it is pointed at.
say <- function(rows, i) node("title", sprintf("%s: %s (%s to %s)", rows$label[i], number(rows$value[i]), number(rows$ci_lower[i]), number(rows$ci_upper[i])))

picture <- function(title, ...) node("svg", viewBox = paste("0 0", WIDTH, HEIGHT), role = "img", `aria-label` = title, ...)

columns <- function(rows, title) {
    axis <- axis_of(rows)
    width <- (WIDTH - LEFT) / nrow(rows)
    column <- function(i) node("rect", class = "bar", x = across(i, nrow(rows)) - 0.45 * width, width = 0.9 * width,
        y = axis$y(max(0, rows$value[i])), height = axis$y(min(0, rows$value[i])) - axis$y(max(0, rows$value[i])), say(rows, i))
    picture(title, grid(axis), lapply(seq_len(nrow(rows)), column), whiskers(rows, axis), below(number(rows$label)))
}

months <- function(rows, title) {
    axis <- axis_of(rows)
    n <- nrow(rows)
    x <- across(seq_len(n), n)
    path <- function(x, y) paste(sprintf("%.1f,%.1f", x, y), collapse = " ")
    names <- paste(month.abb[as.integer(substr(rows$label, 6, 7))], if (n > 12) substr(rows$label, 3, 4) else "")
    picture(title, grid(axis),
        node("polygon", class = "band", points = path(c(x, rev(x)), axis$y(c(rows$ci_lower, rev(rows$ci_upper))))),
        node("polyline", class = "series", points = path(x, axis$y(rows$value))),
        lapply(seq_len(n), function(i) node("circle", class = "bar", cx = x[i], cy = axis$y(rows$value[i]), r = 4, say(rows, i))),
        below(trimws(names)))
}
