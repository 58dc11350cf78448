import type { Fingers } from './pinched.ts'

/** Places are shares of the width of the element, 0–1 from left to right; beyond it where a finger is beyond it. */
export type Touches = {
  /** One finger reads along the element, or has let go. */
  readonly onRead: (at: number | undefined) => void
  /** A tap or a long press: the reading is to stay. */
  readonly onPin: (at: number, by: 'tap' | 'press') => void
  /** Two fingers moved from `before` to `after`; the last call has `isOver`. */
  readonly onPinch: (before: Fingers, after: Fingers, isOver: boolean) => void
}

const LONG_PRESS_MS = 500
/** A finger that moves less than this stands still, pixels. */
const SLOP_PIXELS = 8

/** A finger or a pen; `x` in pixels of the window. */
type Finger = { readonly id: number; readonly fromX: number; readonly x: number }

/**
 * The gesture of the fingers on an element. After two of them it is nothing until all are lifted.
 * Between a touch and its first move it is unknown: the finger may scroll the page.
 */
type Doing = 'nothing' | 'waiting' | 'reading' | 'pinned' | 'pinching'

/** Follows touch and pen on an element whose `touch-action` leaves sideways moves and pinches to it. The answer ends it. */
export function followTouches(element: HTMLElement, { onRead, onPin, onPinch }: Touches): () => void {
  let fingers: readonly Finger[] = []
  let doing: Doing = 'nothing'
  let longPress: ReturnType<typeof setTimeout> | undefined
  const ended = new AbortController()

  const placeOf = (x: number): number => {
    const { left, width } = element.getBoundingClientRect()
    return (x - left) / width
  }
  const pinch = (isOver: boolean) => {
    const [a, b] = fingers
    if (a !== undefined && b !== undefined) onPinch([placeOf(a.fromX), placeOf(b.fromX)], [placeOf(a.x), placeOf(b.x)], isOver)
  }
  const onDown = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    // Or the browser sends the events of a mouse, too.
    event.preventDefault()
    if (fingers.length === 2) return
    fingers = [...fingers, { id: event.pointerId, fromX: event.clientX, x: event.clientX }]
    clearTimeout(longPress)
    if (fingers.length === 2) {
      if (doing === 'reading') onRead(undefined)
      // The first finger has moved on since it came.
      fingers = fingers.map((finger) => ({ ...finger, fromX: finger.x }))
      doing = doing === 'nothing' ? 'nothing' : 'pinching'
      return
    }
    doing = 'waiting'
    longPress = setTimeout(() => {
      doing = 'pinned'
      onPin(placeOf(event.clientX), 'press')
    }, LONG_PRESS_MS)
  }
  const onMove = ({ pointerId, clientX }: PointerEvent) => {
    fingers = fingers.map((finger) => (finger.id === pointerId ? { ...finger, x: clientX } : finger))
    const [first] = fingers
    if (first === undefined || !fingers.some(({ id }) => id === pointerId)) return
    if (doing === 'pinching') pinch(false)
    if (doing === 'waiting' && Math.abs(first.x - first.fromX) > SLOP_PIXELS) {
      clearTimeout(longPress)
      doing = 'reading'
    }
    if (doing === 'reading') onRead(placeOf(first.x))
    if (doing === 'pinned' && Math.abs(first.x - first.fromX) > SLOP_PIXELS) onPin(placeOf(first.x), 'press')
  }
  const onLift = (event: PointerEvent) => {
    if (!fingers.some(({ id }) => id === event.pointerId)) return
    clearTimeout(longPress)
    if (doing === 'pinching') pinch(true)
    if (doing === 'reading') onRead(undefined)
    if (doing === 'waiting' && event.type === 'pointerup') onPin(placeOf(event.clientX), 'tap')
    doing = 'nothing'
    fingers = fingers.filter(({ id }) => id !== event.pointerId)
  }
  const { signal } = ended
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onLift, { signal })
  element.addEventListener('pointercancel', onLift, { signal })
  // The menu of a long press.
  element.addEventListener('contextmenu', (event) => doing !== 'nothing' && event.preventDefault(), { signal })
  return () => {
    clearTimeout(longPress)
    ended.abort()
  }
}
