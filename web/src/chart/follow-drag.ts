/**
 * Follows a mouse drag until the button is released. Calls `onMove` for each move with the horizontal distance in px from the start, and
 * with true at the release.
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
