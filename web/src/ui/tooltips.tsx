import { useEffect, useState } from 'react'

/** Rest this long on something and its tooltip appears; within the second time after one, the next appears at once. */
const DELAY_MS = 700
const SKIP_DELAY_MS = 300
const EDGE_PIXELS = 8

type Shown = { readonly text: string; readonly x: number; readonly y: number; readonly above: boolean }

/** One tooltip for the page: any element with `data-tooltip` has one, by pointer and by keyboard. */
export function Tooltips() {
  const [shown, setShown] = useState<Shown>()
  useEffect(() => followTooltips(setShown), [])
  if (shown === undefined) return null
  return (
    <div
      role="tooltip"
      className="pointer-events-none fixed z-60 max-w-72 -translate-x-1/2 animate-appear rounded-control border border-border-strong bg-surface px-2 py-1 text-small shadow-raised"
      style={shown.above ? { left: shown.x, bottom: innerHeight - shown.y + EDGE_PIXELS } : { left: shown.x, top: shown.y + EDGE_PIXELS }}
    >
      {shown.text}
    </div>
  )
}

function followTooltips(show: (shown: Shown | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The element pointed at or focused last: going on within it starts nothing anew, and neither does a click on it. */
  let pointed: Element | null = null
  let isShown = false
  let hiddenAt = Number.NEGATIVE_INFINITY

  const hide = () => {
    clearTimeout(timer)
    if (!isShown) return
    isShown = false
    hiddenAt = performance.now()
    show(undefined)
  }
  const enter = ({ target }: Event) => {
    const element = target instanceof Element ? target.closest('[data-tooltip]') : null
    if (element === pointed) return
    hide()
    pointed = element
    if (element === null) return
    const skips = performance.now() - hiddenAt < SKIP_DELAY_MS
    timer = setTimeout(
      () => {
        isShown = true
        show(placed(element))
      },
      skips ? 0 : DELAY_MS,
    )
  }
  const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()

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

function placed(element: Element): Shown {
  const box = element.getBoundingClientRect()
  const above = box.bottom + 48 > innerHeight
  return {
    text: element.getAttribute('data-tooltip') ?? '',
    x: Math.min(Math.max(box.left + box.width / 2, 96), innerWidth - 96),
    y: above ? box.top : box.bottom,
    above,
  }
}
