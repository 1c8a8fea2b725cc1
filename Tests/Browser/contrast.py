"""The contrast of a page's text, measured on its pixels.

A screenshot is taken with all text made transparent. It shows the background of every line:
gradients, panes and blurs as the browser draws them.
"""

import base64

# Every visible line of text and every placeholder: its text, color and box.
LINES = """() => {
    const lines = [];
    const add = (text, style, box) => {
        if (!text.trim() || box.width < 2 || box.height < 2) return;
        lines.push({text: text.trim().slice(0, 40), color: style.color,
            large: parseFloat(style.fontSize) >= 24
                || (parseFloat(style.fontSize) >= 18.66
                    && style.fontWeight >= 700),
            x: box.x + scrollX, y: box.y + scrollY,
            width: box.width, height: box.height});
    };
    // A label for screen readers alone is a pixel wide.
    const isClipped = e => e && (getComputedStyle(e).clipPath !== 'none'
        || isClipped(e.parentElement));
    const isSkipped = e => e.closest(':disabled, [inert]') || isClipped(e)
        || !e.checkVisibility({visibilityProperty: true,
                               opacityProperty: true});
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (isSkipped(parent) || parent.closest('noscript')) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects())
            add(walk.currentNode.data, getComputedStyle(parent), box);
    }
    for (const input of document.querySelectorAll('input.field-input')) {
        if (isSkipped(input)) continue;
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

# The contrast of each line against the pixels behind it. The worst one percent of the pixels is
# ignored, so that a thin line behind the text does not count.
MEASURE = """async ([picture, lines]) => {
    const bytes = Uint8Array.from(atob(picture), char => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d', {willReadFrequently: true});
    context.drawImage(image, 0, 0);
    const luminance = rgb => {
        const [r, g, b] = rgb.map(v => v / 255).map(
            v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    return lines.map(line => {
        const color = line.color.match(/[\\d.]+/g).map(Number);
        const alpha = color[3] ?? 1;
        const {data} = context.getImageData(
            Math.max(0, Math.round(line.x)), Math.max(0, Math.round(line.y)),
            Math.max(1, Math.floor(line.width)),
            Math.max(1, Math.floor(line.height)));
        const ratios = [];
        for (let at = 0; at < data.length; at += 4 * 7) {
            if (!data[at + 3]) continue;
            const background = [data[at], data[at + 1], data[at + 2]];
            const drawn = background.map(
                (v, i) => v * (1 - alpha) + color[i] * alpha);
            const [low, high] = [luminance(background), luminance(drawn)]
                .sort((a, b) => a - b);
            ratios.push((high + .05) / (low + .05));
        }
        ratios.sort((a, b) => a - b);
        return ratios[Math.floor(ratios.length / 100)] ?? 21;
    });
}"""


def line_contrasts(page):
    """Every line of a page with its contrast."""
    lines = page.evaluate(LINES)
    assert lines, "the page has no text"
    page.evaluate(HIDE)
    picture = base64.b64encode(page.screenshot()).decode()
    page.evaluate(SHOW)
    return list(zip(lines, page.evaluate(MEASURE, [picture, lines]), strict=True))


def contrasts_by_text(page):
    """The contrast ratios of the lines of a page, by their text."""
    ratios = {}
    for line, ratio in line_contrasts(page):
        ratios.setdefault(line["text"], []).append(ratio)
    return ratios


def low_contrast_lines(page):
    """The lines with too low contrast, each with its ratio."""
    return [
        f"{line['text']}: {ratio:.2f}"
        for line, ratio in line_contrasts(page)
        if ratio < (3 if line["large"] else 4.5)
    ]
