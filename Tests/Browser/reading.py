"""Which words of a page cannot be read whole, which controls not be reached.

Words are measured where they stand: a line must lie within the window and
within every box that cuts what does not fit it, and no two lines may lie on
each other. A placeholder is measured against the room its field leaves it.
"""

CUT = """() => {
    const found = [];
    const say = (what, why) => found.push(`${what.trim().slice(0, 40)}: ${why}`);
    const unseen = e => e && (getComputedStyle(e).clipPath !== 'none'
        || unseen(e.parentElement));
    const idle = e => unseen(e) || e.closest('noscript, [inert]')
        || !e.checkVisibility({visibilityProperty: true,
                               opacityProperty: true});
    const floats = e => e && (getComputedStyle(e).position === 'fixed'
        || floats(e.parentElement));
    const lines = [];
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode.data;
        const parent = walk.currentNode.parentElement;
        if (!text.trim() || idle(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects()) {
            if (box.width < 1 || box.height < 2) continue;
            if (box.left < -1 || box.right > innerWidth + 1)
                say(text, 'stands out of the window');
            for (let e = parent; e && e !== document.body;
                 e = e.parentElement) {
                if (getComputedStyle(e).overflowX === 'visible') continue;
                const all = e.getBoundingClientRect();
                if (box.left < all.left - 1 || box.right > all.right + 1
                    || box.bottom > all.bottom + box.height / 4
                        && getComputedStyle(e).overflowY !== 'auto')
                    say(text, `is cut by ${e.className || e.localName}`);
            }
            if (!floats(parent)) lines.push({text, box, parent});
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
                say(one.text, `lies on ${other.text.trim()}`);
        }
    const paper = new OffscreenCanvas(1, 1).getContext('2d');
    for (const input of document.querySelectorAll('input.field-input')) {
        if (idle(input) || !input.placeholder) continue;
        const style = getComputedStyle(input);
        const inner = n => parseFloat(style[n]);
        const high = input.clientHeight - inner('paddingTop')
            - inner('paddingBottom');
        if (high < inner('fontSize') * 1.1)
            say(input.placeholder, 'its field is too low');
        const hint = getComputedStyle(input, '::placeholder');
        paper.font = `${hint.fontWeight} ${hint.fontSize} ${hint.fontFamily}`;
        paper.letterSpacing = hint.letterSpacing === 'normal'
            ? '0px' : hint.letterSpacing;
        const room = input.clientWidth - inner('paddingLeft')
            - inner('paddingRight');
        if (!input.value && paper.measureText(input.placeholder).width > room)
            say(input.placeholder, 'is longer than its field');
    }
    return [...new Set(found)];
}"""


def cut(page):
    """The words that cannot be read whole, each with why."""
    return page.evaluate(CUT)


# The size of every visible word, by its element's place in the page.
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


def sizes(page):
    return page.evaluate(SIZES)


# Every control is scrolled to as a mouse can: what hides its overflow is put
# back. Then its middle must be hit, where it is not cut. The marks of the
# timeline and the tiles of a sheet move by their own scripts.
REACH = """() => {
    const found = [];
    const hides = value => value === 'hidden' || value === 'clip';
    const still = getComputedStyle(document.body).overflowY === 'hidden';
    for (const control of document.querySelectorAll(
        'a[href], button, input, select, textarea, summary')) {
        const seen = control.matches('[type=radio], [type=checkbox]')
            && control.closest('label') || control;
        const menu = control.closest('details:not([open])');
        if (!seen.checkVisibility({visibilityProperty: true})
            || control.closest('[inert], .mark, [data-tile], .skip, .spoken')
            || menu && control !== menu.querySelector('summary')) continue;
        seen.scrollIntoView({
            block: 'center', inline: 'center', behavior: 'instant'});
        for (let e = seen.parentElement; e; e = e.parentElement) {
            const style = getComputedStyle(e);
            if (e === document.body || e === document.documentElement)
                if (!still) break;
            if (hides(style.overflowY)) e.scrollTop = 0;
            if (hides(style.overflowX)) e.scrollLeft = 0;
        }
        if (still) document.scrollingElement.scrollTop = 0;
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


def out_of_reach(page):
    """The controls no mouse gets to, in the window as it is."""
    return page.evaluate(REACH)
