/** Follows a pressed pointer until it is let go: `onMove` is told how far it went sideways, in pixels, and whether it was let go. */
export function followGrab(pressed: MouseEvent, onMove: (pixels: number, isOver: boolean) => void): void {
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
