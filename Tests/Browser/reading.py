"""Finds text that is cut or covered, and controls that cannot be reached.

A line of text must be within the window and within every box that clips its overflow, and no two
lines may overlap. A placeholder must fit into its field.
"""

CUT = """() => {
    const found = [];
    const report = (text, reason) => found.push(`${text.trim().slice(0, 40)}: ${reason}`);
    const isClipped = e => e && (getComputedStyle(e).clipPath !== 'none'
        || isClipped(e.parentElement));
    const isSkipped = e => isClipped(e) || e.closest('noscript, [inert]')
        || !e.checkVisibility({visibilityProperty: true,
                               opacityProperty: true});
    const isFixed = e => e && (getComputedStyle(e).position === 'fixed'
        || isFixed(e.parentElement));
    const lines = [];
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode.data;
        const parent = walk.currentNode.parentElement;
        if (!text.trim() || isSkipped(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects()) {
            if (box.width < 1 || box.height < 2) continue;
            if (box.left < -1 || box.right > innerWidth + 1)
                report(text, 'is outside the window');
            for (let e = parent; e && e !== document.body;
                 e = e.parentElement) {
                if (getComputedStyle(e).overflowX === 'visible') continue;
                const all = e.getBoundingClientRect();
                if (box.left < all.left - 1 || box.right > all.right + 1
                    || box.bottom > all.bottom + box.height / 4
                        && getComputedStyle(e).overflowY !== 'auto')
                    report(text, `is cut by ${e.className || e.localName}`);
            }
            if (!isFixed(parent)) lines.push({text, box, parent});
        }
    }
    for (const [at, one] of lines.entries())
        for (const other of lines.slice(at + 1)) {
            if (one.parent === other.parent) continue;
            const across = Math.min(one.box.right, other.box.right)
                - Math.max(one.box.left, other.box.left);
            const down = Math.min(one.box.bottom, other.box.bottom)
                - Math.max(one.box.top, other.box.top);
            if (across > 2 && down > one.box.height / 2)
                report(one.text, `overlaps ${other.text.trim()}`);
        }
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    for (const input of document.querySelectorAll('input.field-input')) {
        if (isSkipped(input) || !input.placeholder) continue;
        const style = getComputedStyle(input);
        const inner = n => parseFloat(style[n]);
        const height = input.clientHeight - inner('paddingTop')
            - inner('paddingBottom');
        if (height < inner('fontSize') * 1.1)
            report(input.placeholder, 'its field is too low');
        const hint = getComputedStyle(input, '::placeholder');
        context.font = `${hint.fontWeight} ${hint.fontSize} ${hint.fontFamily}`;
        context.letterSpacing = hint.letterSpacing === 'normal'
            ? '0px' : hint.letterSpacing;
        const available = input.clientWidth - inner('paddingLeft')
            - inner('paddingRight');
        if (!input.value && context.measureText(input.placeholder).width > available)
            report(input.placeholder, 'is longer than its field');
    }
    return [...new Set(found)];
}"""


def unreadable_text(page):
    """The texts that cannot be read completely, each with the reason."""
    return page.evaluate(CUT)


# The font size of every visible text, by the text.
SIZES = """() => {
    const sizes = {};
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || parent.closest('noscript, [inert]')
            || !parent.checkVisibility()) continue;
        sizes[walk.currentNode.data.trim().slice(0, 60)] =
            parseFloat(getComputedStyle(parent).fontSize);
    }
    return sizes;
}"""


def font_sizes(page):
    return page.evaluate(SIZES)


# Scrolls to every control as far as a mouse can: boxes with hidden overflow are scrolled back. Then
# a click on the middle of its visible part must hit it. The marks of the timeline and the tiles of
# a storyboard are moved by their own scripts.
REACH = """() => {
    const found = [];
    const isHidden = value => value === 'hidden' || value === 'clip';
    const isLocked = getComputedStyle(document.body).overflowY === 'hidden';
    for (const control of document.querySelectorAll(
        'a[href], button, input, select, textarea, summary')) {
        const seen = control.matches('[type=radio], [type=checkbox]')
            && control.closest('label') || control;
        const menu = control.closest('details:not([open])');
        if (!seen.checkVisibility({visibilityProperty: true})
            || control.closest('[inert], .mark, [data-tile], .skip-link, .visually-hidden')
            || menu && control !== menu.querySelector('summary')) continue;
        seen.scrollIntoView({
            block: 'center', inline: 'center', behavior: 'instant'});
        for (let e = seen.parentElement; e; e = e.parentElement) {
            const style = getComputedStyle(e);
            if (e === document.body || e === document.documentElement)
                if (!isLocked) break;
            if (isHidden(style.overflowY)) e.scrollTop = 0;
            if (isHidden(style.overflowX)) e.scrollLeft = 0;
        }
        if (isLocked) document.scrollingElement.scrollTop = 0;
        // A link of two lines has a box for each.
        const box = [...seen.getClientRects()].find(
            box => box.width >= 2 && box.height >= 2);
        if (!box) continue;
        const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
        const y = (box.top + box.bottom) / 2;
        const hit = document.elementFromPoint(x, y);
        const row = seen.matches('.row-link') && seen.closest('tr, li');
        if (!hit || !(seen.contains(hit) || row && row.contains(hit)
            || hit.contains(seen) && hit.matches('a, button, label, summary')))
            found.push(control.dataset.testid || seen.textContent.trim());
    }
    return found;
}"""


def unreachable_controls(page):
    """The controls that a mouse cannot reach in the current window."""
    return page.evaluate(REACH)
