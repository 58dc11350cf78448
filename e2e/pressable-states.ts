import type { ElementHandle, Page } from 'playwright-core'
import { waitUntil } from './pages-hub.ts'

/**
 * Minimum contrast ratio (WCAG), 1.1, of a control's colours during hover to those before. With less, the control is reported as a problem,
 * unless something else changes, such as an underline.
 */
const LEAST_HOVER_CONTRAST = 1.1
/**
 * Minimum contrast ratio of a control's focus ring to the colours beside it: 3:1 (WCAG 2.2, 1.4.11). A ring with less is reported as a
 * problem.
 */
const LEAST_RING_CONTRAST = 3
/** Timeout in ms after which a control (button, link, checkbox) that another element lies over counts as covered: 10 s. */
const COVERED_MS = 10_000

// Code for the page is kept as text, because these tests are compiled without browser types.

/**
 * JavaScript text for a page that defines `window.states`: functions that measure colours, contrast, hover and focus rings of its elements.
 */
const statesSource = `window.states ??= (() => {
  // A transition would start with the previous colours.
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(still)
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const known = new Map()
  const colourOf = (text) => {
    if (!known.has(text)) {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = text
      context.fillRect(0, 0, 1, 1)
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
      known.set(text, [red, green, blue, alpha / 255])
    }
    return known.get(text)
  }
  const over = (top, below) => [0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3])).concat(1)
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  /**
   * Returns the background colour behind an element's text, with all translucent backgrounds mixed: red, green and blue from 0 to 255,
   * alpha from 0 to 1.
   */
  const behind = (element) => {
    if (element === null) return colourOf(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#121212' : '#fff')
    const own = colourOf(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own : over(own, behind(element.parentElement))
  }
  // On the body, so that the charts, which follow the root element, are not drawn again each time.
  const inThemes = (read) => {
    if (document.documentElement.classList.contains('dark')) throw new Error('Cannot read both themes: the page is dark')
    const light = read('light')
    document.body.classList.add('dark')
    const dark = read('dark')
    document.body.classList.remove('dark')
    return [light, dark]
  }
  const pressable = 'a[href], button, summary, select, input:is([type=checkbox], [type=radio], [type=range]), [role=menuitem], [role=menuitemradio], [role=option], [role=switch], [role=tab]'
  const nameOf = (element) =>
    element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.textContent.trim()).slice(0, 40) + '" ' + element.getAttribute('class')
  const listed = () => {
    const isCovered = (element) => document.querySelector('[data-backdrop]') !== null && element.closest('[role=dialog], [role=alertdialog], [data-radix-popper-content-wrapper]') === null
    return [...document.querySelectorAll(pressable)].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isOff = element.matches(':disabled, [aria-disabled=true], [data-disabled], [data-highlighted], [tabindex="-1"]:not([role])')
      return !isOff && width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true }) && !isCovered(element)
    })
  }
  /**
   * Returns a text that is equal for controls (buttons, links, checkboxes) of equal appearance. They have equal hover colours and focus
   * rings, so only one of them is checked.
   */
  const lookOf = (element) => [element.tagName, element.type, element.getAttribute('role'), element.className.replace(/max-sm:\\S+/g, ''), element.ariaPressed, element.ariaCurrent, element.parentElement.className, behind(element).join()].join('|')
  const partsOf = (element) => [element, element.parentElement, element.closest('label, tr, li'), ...[...element.querySelectorAll('*')].slice(0, 8)].filter((part) => part !== null)
  const snapshot = (element) => inThemes(() => partsOf(element).map((part) => {
    const { color, backgroundColor, borderTopColor, borderTopWidth, textDecorationLine, textDecorationThickness, opacity, outlineStyle, boxShadow } = getComputedStyle(part)
    const below = behind(part)
    return {
      colours: [over(colourOf(color), below), below, borderTopWidth === '0px' ? below : over(colourOf(borderTopColor), behind(part.parentElement))],
      lines: [textDecorationLine === 'none' ? '' : textDecorationLine + textDecorationThickness, outlineStyle, boxShadow].join(),
      opacity: Number(opacity),
    }
  }))
  const differs = (before, after) => before.length !== after.length || before.some((part, index) => {
    const next = after[index]
    return part.lines !== next.lines || Math.abs(part.opacity - next.opacity) >= 0.1 || part.colours.some((colour, at) => contrast(colour, next.colours[at]) >= ${LEAST_HOVER_CONTRAST})
  })
  let hovered
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.closest(':disabled, [aria-disabled=true], [data-disabled]') === null
  }
  /**
   * Returns a colour as displayed on an element: red, green and blue from 0 to 255, alpha from 0 to 1. It is mixed with the background,
   * because an ancestor may be half transparent.
   */
  const seen = (element, colour) => {
    let alpha = colour[3]
    for (let one = element; one !== null; one = one.parentElement) alpha *= Number(getComputedStyle(one).opacity)
    return over([...colour.slice(0, 3), alpha], behind(element))
  }
  const faintText = (element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700)
    return [contrast(seen(element, colourOf(color)), behind(element)), isLarge ? 3 : 4.5]
  }
  const faintIcon = (icon) => [contrast(seen(icon, colourOf(getComputedStyle(icon).color)), behind(icon)), 3]
  const faintBorder = (control) => [contrast(seen(control.parentElement, colourOf(getComputedStyle(control).borderTopColor)), behind(control.parentElement)), 3]
  const icons = ':is(a, button, summary) svg, [data-status] svg'
  const bordered = 'input:not([type=checkbox], [type=radio], [type=range], [cmdk-input]), textarea, [role=combobox], [role=switch]'
  /**
   * Checks each visible text, icon and field border in the element root or below it. Returns one sentence for each with too low contrast in
   * the light or dark theme.
   */
  const faint = (root) => {
    const all = [root, ...root.querySelectorAll('*')].filter(isShown)
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '') && element.closest('svg') === null
    const kinds = [['text', faintText, all.filter(hasText)], ['icon', faintIcon, all.filter((one) => one.matches(icons))], ['border', faintBorder, all.filter((one) => one.matches(bordered) && getComputedStyle(one).borderTopWidth !== '0px')]]
    return inThemes((theme) => kinds.flatMap(([kind, measure, elements]) => elements.flatMap((element) => {
      const [reached, needed] = measure(element)
      return reached >= needed ? [] : [theme + ': ' + kind + ' ' + reached.toFixed(2) + ':1 of ' + nameOf(element.closest('button, a, label') ?? element) + ' in ' + (element.getAttribute('class') ?? '')]
    }))).flat()
  }
  return {
    listed, faint, lookOf, nameOf, inThemes, behind, colourOf, contrast, over,
    /**
     * Scrolls to a control (button, link, checkbox) and stores its colours without hover, for hoverProblems. The test then moves the
     * pointer over the control.
     */
    approach(element) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      hovered = { element, before: snapshot(element) }
    },
    /**
     * Returns the hover problems, one sentence each, of the control last passed to approach, which the pointer should be over. Problems: it
     * is covered, does not change visibly, or has too low contrast.
     */
    hoverProblems() {
      const { element, before } = hovered
      if (!element.matches(':hover')) return ['hover is covered: ' + nameOf(element)]
      const after = snapshot(element)
      const unchanged = ['light', 'dark'].filter((_, index) => !differs(before[index], after[index]))
      return [
        ...(unchanged.length > 0 ? ['hover ' + unchanged + ': ' + nameOf(element)] : []),
        ...faint(element.closest('tr, li, label') ?? element).map((problem) => 'hovered, ' + problem),
      ]
    },
    /**
     * Focuses a control and returns the problems of its focus ring, one sentence each: it takes no focus, no visible ring, or too low
     * contrast.
     */
    ringProblems(element) {
      element.focus({ preventScroll: true })
      if (document.activeElement !== element) return ['takes no focus']
      const around = [element, element.parentElement, ...element.parentElement.children, element.closest('label')].filter(Boolean)
      const ringed = around.find((one) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(one)
        return one.getBoundingClientRect().width >= 8 && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
      })
      if (ringed === undefined) return ['no ring']
      return inThemes((theme) => {
        const { outlineColor, outlineOffset } = getComputedStyle(ringed)
        const beside = behind(parseFloat(outlineOffset) < 0 ? ringed : ringed.parentElement)
        const reached = contrast(over(colourOf(outlineColor), beside), beside)
        return reached >= ${LEAST_RING_CONTRAST} ? '' : theme + ': ring ' + reached.toFixed(2) + ':1'
      }).filter((problem) => problem !== '')
    },
  }
})()`

/**
 * Check of a page's controls (buttons, links, checkboxes): each must change during hover and have a visible focus ring. Of controls that
 * look equal only one is checked.
 */
export class PressableStates {
  readonly #seen = new Set<string>()
  /** Number of controls (buttons, links, checkboxes) that have been checked so far. */
  get count(): number {
    return this.#seen.size
  }

  /**
   * Checks hover and focus ring of each control on the page that looks different from all controls checked before. Resolves with one
   * sentence per problem; `what` names the page in it.
   */
  async look(page: Page, what: string): Promise<readonly string[]> {
    await page.evaluate(statesSource)
    await page.mouse.move(0, 0)
    await waitUntil(page, `document.querySelector('[aria-busy="true"]') === null`)
    const looks = await page.evaluate<readonly string[]>('(window.found = states.listed()).map(states.lookOf)')
    const fresh = looks.flatMap((look, index) => (this.#seen.has(look) ? [] : [{ look, index }]))
    const problems: string[] = []
    for (const { look, index } of fresh) {
      if (this.#seen.has(look)) continue
      this.#seen.add(look)
      await page.evaluate(`states.approach(found[${index}])`)
      const control = (await page.evaluateHandle<ElementHandle>(`found[${index}]`)).asElement()
      // Waits until the control stands still, as data that arrive may move it. A covered control is a problem of its own below.
      await control?.hover({ timeout: COVERED_MS }).catch(() => undefined)
      problems.push(...(await page.evaluate<readonly string[]>('states.hoverProblems()')))
      await page.mouse.move(0, 0)
    }
    // From now on a focus that a script sets is one of the keyboard.
    await page.keyboard.press('Shift')
    problems.push(
      ...(await page.evaluate<readonly string[]>(`${JSON.stringify(fresh.map(({ index }) => index))}.flatMap((index) =>
        states.ringProblems(found[index]).map((problem) => 'focus ' + problem + ': ' + states.nameOf(found[index])))`)),
    )
    return problems.map((problem) => `${what}: ${problem}`)
  }
}

/**
 * Resolves with one sentence for each part of the page with too low contrast, in both themes. Texts need 4.5:1; large texts, icons and
 * field borders 3:1.
 */
export async function faintParts(page: Page): Promise<readonly string[]> {
  await page.evaluate(statesSource)
  return page.evaluate<readonly string[]>('states.faint(document.body)')
}
