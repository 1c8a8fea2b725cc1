"""How well a page's words can be read, measured on its pixels.

A picture is taken with every word made transparent, so that what is left is
what lies behind it: gradients, panes and blurs as the browser drew them.
"""

import base64

# Every visible line of text and every placeholder: words, colour, place.
LINES = """() => {
    const lines = [];
    const add = (text, style, box) => {
        if (!text.trim() || box.width < 2 || box.height < 2) return;
        lines.push({text: text.trim().slice(0, 40), colour: style.color,
            large: parseFloat(style.fontSize) >= 24
                || (parseFloat(style.fontSize) >= 18.66
                    && style.fontWeight >= 700),
            x: box.x + scrollX, y: box.y + scrollY,
            width: box.width, height: box.height});
    };
    // A label for screen readers alone is a pixel wide.
    const unseen = e => e && (getComputedStyle(e).clipPath !== 'none'
        || unseen(e.parentElement));
    const idle = e => e.closest(':disabled, [inert]') || unseen(e)
        || !e.checkVisibility({visibilityProperty: true,
                               opacityProperty: true});
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (idle(parent) || parent.closest('noscript')) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects())
            add(walk.currentNode.data, getComputedStyle(parent), box);
    }
    for (const input of document.querySelectorAll('input.field-input')) {
        if (idle(input)) continue;
        const all = input.getBoundingClientRect();
        const style = getComputedStyle(input);
        const left = parseFloat(style.paddingLeft);
        const box = {x: all.x + left, y: all.y + all.height / 2 - 8,
                     width: 120, height: 16};
        if (input.value) add(input.value, style, box);
        else add(input.placeholder,
                 getComputedStyle(input, '::placeholder'), box);
    }
    return lines;
}"""

HIDE = """() => {
    const sheet = window.hidden = new CSSStyleSheet();
    sheet.replaceSync(`*, *::placeholder { color: transparent !important;
        transition: none !important; caret-color: transparent !important }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""

SHOW = """() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
        sheet => sheet !== window.hidden);
}"""

# The contrast of each line against the pixels behind it; the worst pixel but
# one in a hundred counts, so that a passing hairline does not.
MEASURE = """async ([picture, lines]) => {
    const bytes = Uint8Array.from(atob(picture), sign => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const paper = canvas.getContext('2d', {willReadFrequently: true});
    paper.drawImage(image, 0, 0);
    const light = rgb => {
        const [r, g, b] = rgb.map(v => v / 255).map(
            v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    return lines.map(line => {
        const ink = line.colour.match(/[\\d.]+/g).map(Number);
        const alpha = ink[3] ?? 1;
        const {data} = paper.getImageData(
            Math.max(0, Math.round(line.x)), Math.max(0, Math.round(line.y)),
            Math.max(1, Math.floor(line.width)),
            Math.max(1, Math.floor(line.height)));
        const found = [];
        for (let at = 0; at < data.length; at += 4 * 7) {
            if (!data[at + 3]) continue;
            const ground = [data[at], data[at + 1], data[at + 2]];
            const seen = ground.map(
                (v, i) => v * (1 - alpha) + ink[i] * alpha);
            const [low, high] = [light(ground), light(seen)]
                .sort((a, b) => a - b);
            found.push((high + .05) / (low + .05));
        }
        found.sort((a, b) => a - b);
        return found[Math.floor(found.length / 100)] ?? 21;
    });
}"""


def measured(page):
    """Every line of a page with its contrast as it is drawn."""
    lines = page.evaluate(LINES)
    assert lines, "there is nothing to read"
    page.evaluate(HIDE)
    picture = base64.b64encode(page.screenshot()).decode()
    page.evaluate(SHOW)
    return list(zip(lines, page.evaluate(MEASURE, [picture, lines]), strict=True))


def by_words(page):
    """The ratios of the lines of a page as they are drawn, by their words."""
    ratios = {}
    for line, ratio in measured(page):
        ratios.setdefault(line["text"], []).append(ratio)
    return ratios


def poor(page):
    """The lines that cannot be read well enough, each with its contrast."""
    return [
        f"{line['text']}: {ratio:.2f}"
        for line, ratio in measured(page)
        if ratio < (3 if line["large"] else 4.5)
    ]
