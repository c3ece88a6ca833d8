# A dashboard of a private foreign table.  It sends SELECTs of private.stays, dpem.last_answer and
# dpem.budgets over one connection, which libpq's variables describe (PGHOST, PGDATABASE, PGUSER, ...), and
# nothing else; see README.md.
library(shiny)

source("draw.R", local = TRUE)

# what stands behind WHERE, by what the reader chooses; never text of the reader's
FILTERS <- c("all stays" = "", "urgent stays" = "WHERE urgent", "planned stays" = "WHERE NOT urgent")

# A question each: %s is the filter.  Every one has a column `label` and a column `value`, or values alone.
CHARTS <- list(
    list(id = "regions", title = "Stays by region", draw = bars,
        sql = "SELECT region AS label, count(*) AS value FROM private.stays %s GROUP BY region ORDER BY region"),
    list(id = "days", title = "Days of a stay, on average", draw = points,
        sql = "SELECT region AS label, avg(days) AS value FROM private.stays %s GROUP BY region ORDER BY region"),
    list(id = "ages", title = "Stays by age", draw = columns,
        sql = "SELECT floor(age / 10.0) * 10 AS label, count(*) AS value FROM private.stays %s GROUP BY 1 ORDER BY 1"),
    list(id = "months", title = "Stays by month", draw = months,
        sql = "SELECT to_char(admitted, 'YYYY-MM') AS label, count(*) AS value FROM private.stays %s GROUP BY 1 ORDER BY 1"),
    list(id = "long", title = "How long a stay is", draw = sentences,
        sql = "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY days) AS \"Half of the stays have at most %%s days.\",
                percentile_disc(0.9) WITHIN GROUP (ORDER BY days) AS \"Nine in ten have at most %%s days.\" FROM private.stays %s"))

# ---- the database ------------------------------------------------------------

source("../connection.R", local = TRUE)

# What the server says of an error, without the driver's words.
reason <- function(e) trimws(sub("^.*?ERROR: *", "", gsub("\n", " ", conditionMessage(e))))

# Rows of a query; an error's text in place of them, which dbGetQuery would only print.
ask <- function(sql) tryCatch({
    con <- connect()
    sent <- DBI::dbSendQuery(con, sql)
    on.exit(DBI::dbClearResult(sent))
    DBI::fetch(sent, n = -1)
}, error = reason)

# A chart's rows with their intervals, and what they cost: dpem.last_answer is of this connection's last query.
ask_chart <- function(chart, filter) {
    rows <- ask(sprintf(chart$sql, filter))
    if (is.character(rows))
        return(rows)
    noise <- ask("SELECT key, value, ci_lower, ci_upper, epsilon, reused,
        to_char(answered_at, 'YYYY-MM-DD HH24:MI') AS answered FROM dpem.last_answer")
    if (is.character(noise))
        return(noise)
    if (is.null(rows$label))
        rows <- data.frame(label = names(rows), value = unlist(rows), key = NA)
    else
        rows$key <- as.character(rows$label)
    at <- if (all(is.na(rows$key))) seq_len(nrow(rows)) else match(rows$key, noise$key)
    cbind(rows, noise[at, c("ci_lower", "ci_upper", "epsilon", "reused", "answered")])
}

budget <- function() ask("SELECT dataset, remaining_percent, more_like_last FROM dpem.budgets
    WHERE role = current_user AND dataset = 'stays'")

# ---- the page ----------------------------------------------------------------

cost <- function(rows) {
    if (all(rows$reused))
        paste0("Answered ", rows$answered[1], "; nothing spent now.")
    else
        paste0("Spent now: \u03b5 = ", format(rows$epsilon[1]), ".")
}

card <- function(chart, rows) {
    shown <- if (is.character(rows)) p(class = "error", rows) else list(chart$draw(rows, chart$title), p(class = "cost", cost(rows)))
    tags$section(id = chart$id, h2(chart$title), shown)
}

budget_card <- function(rows) {
    left <- if (is.character(rows)) p(class = "error", rows)
        else if (nrow(rows) != 1) p(class = "error", "This role has no budget for stays.")
        else list(tags$meter(min = 0, max = 100, value = rows$remaining_percent, `aria-label` = "budget left"),
            p(sprintf("%.1f %% of this role's budget is left.", rows$remaining_percent)),
            if (!is.na(rows$more_like_last)) p(class = "cost", sprintf("It affords %s more questions like the last one.", format(rows$more_like_last, big.mark = ","))))
    tags$section(id = "budget", h2("Budget"), left)
}

ui <- tagList(
    tags$head(tags$title("Stays"), tags$meta(name = "viewport", content = "width=device-width, initial-scale=1"),
        tags$meta(name = "color-scheme", content = "light dark"), includeCSS("style.css")),
    tags$header(h1("Stays"), selectInput("filter", "Which", names(FILTERS), selectize = FALSE)),
    tags$main(uiOutput("page")),
    tags$footer(p("Numbers have noise, so that nobody's stay can be told from them. Whiskers and bands are 95 % intervals.")))

server <- function(input, output, session) {
    output$page <- renderUI({
        filter <- FILTERS[[match.arg(input$filter, names(FILTERS))]]
        answers <- lapply(CHARTS, ask_chart, filter)
        # read last: it includes what this page has cost
        div(class = "cards", Map(card, CHARTS, answers), budget_card(budget()))
    })
}

shinyApp(ui, server)
