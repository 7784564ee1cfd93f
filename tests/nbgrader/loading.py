"""What loads something without a click, in Markdown, HTML and formulas, `{}` in place of an address."""

ELSEWHERE = "https://example.org/x"
LOADS = (
    "![x]({})", "![x]( {} )", "![x](<{}>)", '![x]({} "t")', "![x][y]\n\n[y]: {}", "![x]\n\n[x]: {}", "![]({})",
    "a![x]({})", "\\![x]({})", "!\\[x]({})", "[![x]({})]({})", "![a![x]({})]({})", "| ![x]({}) |\n|---|\n| ![x]({}) |",
    "![x](attachment:a.png)![y]({})", "![x](attachment:a.png)({})", "![![y]({})](attachment:a.png)", "> ![x]({})",
    "<img src={}>", '<img src="{}"/>', "<IMG\nsrc={}>", "<iframe src={}></iframe>", "<svg><image href={} /></svg>",
    "<a href=x ping={}>x</a>", '<meta http-equiv="refresh" content="0;url={}">', "<link rel=stylesheet href={}>",
    "<style>@import '{}';</style>", '<p style="background:url({})">x</p>', "<video poster={}>", "<object data={}>",
    "<!-- x --><img src={}>", "<![CDATA[<img src={}>]]>", "<![x](attachment:a.png)<img src={}>", "<script src={}>",
    "```mermaid\n<img src={}>\n```", "<body background={}>", "<input type=image src={}>", "`<img src={}>`",
    "<div>\n\n![x]({})\n\n</div>", "<base href={}>", "<embed src={}>", "<x style=a:url({})>", "<details ontoggle=x>",
)  # fmt: skip
STYLES = (
    r"$\style{background:url({})}{x}$", r"$$\mmlToken{mglyph}[src={}]{}$$", r"$\bbox[background:url({})]{x}$",
    r"$\class{x}{y}$", r"$\cssId{x}{y}$", r"$\require{x}$", r"$\def\x{\style{a:url({})}{x}}\x$",
    r"\begin{align}\htmlStyle{a:url({})}{x}\end{align}",
)  # fmt: skip
