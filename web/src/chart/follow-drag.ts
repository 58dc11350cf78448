/**
 * Follows a mouse drag that has begun with the event `pressed`, until the button is released. Calls `onMove` with the horizontal distance
 * in px from the start; `isOver` is true in the last call.
 */
export function followDrag(pressed: MouseEvent, onMove: (pixels: number, isOver: boolean) => void): void {
  const over = new AbortController()
  const { signal } = over
  addEventListener('mousemove', ({ clientX }) => onMove(clientX - pressed.clientX, false), { signal })
  addEventListener(
    'mouseup',
    ({ clientX }) => {
      over.abort()
      onMove(clientX - pressed.clientX, true)
    },
    { signal },
  )
}
