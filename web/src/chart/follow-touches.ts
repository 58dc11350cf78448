import type { Fingers } from './pinched-window.ts'

/**
 * Callbacks for gestures by finger or pen on a chart: read values along it, pin the crosshair, pinch. Positions are fractions of the
 * element's width, 0 (left) to 1, and may lie outside that range.
 */
export type TouchCallbacks = {
  /**
   * Called with the position of one finger while it moves along the element; with `undefined` when it is lifted or a second finger touches.
   */
  readonly onRead: (at: number | undefined) => void
  /**
   * Called after a tap or a long press, and after that press for moves more than 8 px from where it began. The chart then fixes its
   * crosshair at the position `at`.
   */
  readonly onPin: (at: number, by: 'tap' | 'press') => void
  /**
   * Called for each move of two fingers (pinch), with their positions at the start (`before`) and now (`after`). `isOver` is true in the
   * last call.
   */
  readonly onPinch: (before: Fingers, after: Fingers, isOver: boolean) => void
}

const LONG_PRESS_MS = 500
/** Horizontal distance in px, 8. A finger that moves farther reads values along the chart. One that moves less is a tap or a long press. */
const SLOP_PIXELS = 8

/** Finger or pen that touches the element. `fromX` is its start, `x` its current position, both in px of the browser window. */
type Finger = { readonly id: number; readonly fromX: number; readonly x: number }

/**
 * Name of the current touch gesture on a chart. It is `waiting` until a touch turns out to be a horizontal move, long press, pinch, tap or
 * page scrolling. After a pinch it is `nothing`, until all fingers are lifted.
 */
type Gesture = 'nothing' | 'waiting' | 'reading' | 'pinned' | 'pinching'

/**
 * Recognizes gestures of touch or pen on a chart's element and calls the callbacks: one finger moving, tap, long press, pinch. The
 * element's CSS `touch-action` must leave these gestures to JavaScript. Returns the function that removes the listeners.
 */
export function followTouches(element: HTMLElement, { onRead, onPin, onPinch }: TouchCallbacks): () => void {
  let fingers: readonly Finger[] = []
  let gesture: Gesture = 'nothing'
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
    // Otherwise the browser sends emulated mouse events too.
    event.preventDefault()
    if (fingers.length === 2) return
    fingers = [...fingers, { id: event.pointerId, fromX: event.clientX, x: event.clientX }]
    clearTimeout(longPress)
    if (fingers.length === 2) {
      if (gesture === 'reading') onRead(undefined)
      // The first finger has moved since it was put down.
      fingers = fingers.map((finger) => ({ ...finger, fromX: finger.x }))
      gesture = gesture === 'nothing' ? 'nothing' : 'pinching'
      return
    }
    gesture = 'waiting'
    longPress = setTimeout(() => {
      gesture = 'pinned'
      onPin(placeOf(event.clientX), 'press')
    }, LONG_PRESS_MS)
  }
  const onMove = ({ pointerId, clientX }: PointerEvent) => {
    fingers = fingers.map((finger) => (finger.id === pointerId ? { ...finger, x: clientX } : finger))
    const [first] = fingers
    if (first === undefined || !fingers.some(({ id }) => id === pointerId)) return
    if (gesture === 'pinching') pinch(false)
    if (gesture === 'waiting' && Math.abs(first.x - first.fromX) > SLOP_PIXELS) {
      clearTimeout(longPress)
      gesture = 'reading'
    }
    if (gesture === 'reading') onRead(placeOf(first.x))
    if (gesture === 'pinned' && Math.abs(first.x - first.fromX) > SLOP_PIXELS) onPin(placeOf(first.x), 'press')
  }
  const onLift = (event: PointerEvent) => {
    if (!fingers.some(({ id }) => id === event.pointerId)) return
    clearTimeout(longPress)
    if (gesture === 'pinching') pinch(true)
    if (gesture === 'reading') onRead(undefined)
    if (gesture === 'waiting' && event.type === 'pointerup') onPin(placeOf(event.clientX), 'tap')
    gesture = 'nothing'
    fingers = fingers.filter(({ id }) => id !== event.pointerId)
  }
  const { signal } = ended
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onLift, { signal })
  element.addEventListener('pointercancel', onLift, { signal })
  // Suppresses the context menu of a long press.
  element.addEventListener('contextmenu', (event) => gesture !== 'nothing' && event.preventDefault(), { signal })
  return () => {
    clearTimeout(longPress)
    ended.abort()
  }
}
