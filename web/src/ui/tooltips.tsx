import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** Hover time in ms, 700, before a tooltip appears. Within 300 ms after another tooltip, it appears at once. */
const DELAY_MS = 700
const SKIP_DELAY_MS = 300
const TOOLTIP_ID = 'tooltip'
/** Free height in px that a tooltip needs below its element, 48; with less, it appears above. */
const ROOM_PIXELS = 48
const EDGE_PIXELS = 96

type Tooltip = { readonly text: string; readonly x: number; readonly y: number; readonly isAbove: boolean; readonly landmark: Element }

/**
 * React component that shows a tooltip for every element of the page with `data-tooltip`, on hover and focus. Escape closes it; the pointer
 * may enter it. Render it once.
 */
export function Tooltips() {
  const [tooltip, setTooltip] = useState<Tooltip>()
  useEffect(() => followTooltips(setTooltip), [])
  if (tooltip === undefined) return null
  const { text, x, y, isAbove, landmark } = tooltip
  return createPortal(
    // The gap to the element belongs to the tooltip, so that the pointer can cross it.
    <div
      role="tooltip"
      id={TOOLTIP_ID}
      className="fixed z-60 w-max max-w-72 -translate-x-1/2 animate-appear py-2"
      style={isAbove ? { left: x, bottom: innerHeight - y } : { left: x, top: y }}
    >
      <div className="rounded-control border border-border-strong bg-surface px-2 py-1 text-small shadow-raised wrap-anywhere whitespace-pre-line">
        {text}
      </div>
    </div>,
    landmark,
  )
}

function followTooltips(show: (tooltip: Tooltip | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  /**
   * Element with a tooltip that pointer or focus entered last, whether or not the tooltip is visible yet; null when none. Pointer movement
   * within the same element starts no new tooltip.
   */
  let owner: Element | null = null
  let isShown = false
  let hiddenAt = Number.NEGATIVE_INFINITY

  const hide = () => {
    clearTimeout(timer)
    if (!isShown) return
    isShown = false
    removals.disconnect()
    hiddenAt = performance.now()
    if (owner !== null) describe(owner, false)
    show(undefined)
  }
  // Observes the document only while a tooltip is visible.
  const removals = new MutationObserver(() => owner?.isConnected === false && hide())
  const enter = ({ target }: Pick<Event, 'target'>) => {
    if (target instanceof Element && target.closest(`#${TOOLTIP_ID}`) !== null) return
    const element = target instanceof Element ? target.closest('[data-tooltip]') : null
    if (element === owner) return
    hide()
    owner = element
    if (element === null) return
    const skips = performance.now() - hiddenAt < SKIP_DELAY_MS
    timer = setTimeout(
      () => {
        // A list may have removed the row meanwhile. Without a place, its tooltip would appear in the page's corner.
        if (!element.isConnected) return
        // The open menu of a button stands where its tooltip would.
        if (element.matches('[aria-haspopup=menu][aria-expanded=true]')) return
        isShown = true
        describe(element, true)
        show(placed(element))
        removals.observe(document.body, { childList: true, subtree: true })
      },
      skips ? 0 : DELAY_MS,
    )
  }
  const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()

  // This code may load after the pointer or the focus has arrived.
  enter({ target: [...document.querySelectorAll(':hover')].at(-1) ?? document.activeElement })
  document.addEventListener('pointerover', enter)
  document.addEventListener('focusin', enter)
  document.addEventListener('pointerdown', hide)
  document.addEventListener('scroll', hide, true)
  document.addEventListener('keydown', onKey)
  return () => {
    hide()
    document.removeEventListener('pointerover', enter)
    document.removeEventListener('focusin', enter)
    document.removeEventListener('pointerdown', hide)
    document.removeEventListener('scroll', hide, true)
    document.removeEventListener('keydown', onKey)
  }
}

/**
 * Adds the tooltip's id to an element's `aria-describedby`, or removes it (`isShown` false). It is not added when the tooltip's text is
 * also the element's `aria-label`.
 */
function describe(element: Element, isShown: boolean): void {
  const others = (element.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '' && id !== TOOLTIP_ID)
  const isName = element.getAttribute('aria-label') === element.getAttribute('data-tooltip')
  const ids = isShown && !isName ? [...others, TOOLTIP_ID] : others
  if (ids.length === 0) element.removeAttribute('aria-describedby')
  else element.setAttribute('aria-describedby', ids.join(' '))
}

function placed(element: Element): Tooltip {
  const box = element.getBoundingClientRect()
  const isAbove = box.bottom + ROOM_PIXELS > innerHeight
  return {
    text: element.getAttribute('data-tooltip') ?? '',
    x: Math.min(Math.max(box.left + box.width / 2, EDGE_PIXELS), innerWidth - EDGE_PIXELS),
    y: isAbove ? box.top : box.bottom,
    isAbove,
    // Rendered in the element's landmark, for screen reader users who navigate by landmarks.
    landmark: element.closest('main') ?? element.closest('header') ?? document.body,
  }
}
