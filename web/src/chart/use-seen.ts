import { useLayoutEffect, useState, type RefObject } from 'react'

const MARGIN_PIXELS = 200

/**
 * React hook: returns true once the element has been within 200 px of the viewport, and from then on; false before. The initial position is
 * checked before the first paint.
 */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null || isSeen) return
    const { top, bottom } = current.getBoundingClientRect()
    if (top < innerHeight + MARGIN_PIXELS && bottom > -MARGIN_PIXELS) {
      // oxlint-disable-next-line react/set-state-in-effect -- where an element is, is known once it is there
      setSeen(true)
      return
    }
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true), {
      rootMargin: `${MARGIN_PIXELS}px`,
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
