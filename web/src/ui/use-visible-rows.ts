import { startTransition, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { visibleRows, type RowPositions, type VisibleRows } from './visible-rows.ts'

type ElementRef = RefObject<HTMLElement | null>

/**
 * React hook: returns the range `[first, end)` of indexes of the list rows to render: those near the visible area of the window, or of the
 * scroll container `box`. `rows`, the positions of all rows, must be memoized.
 */
export function useVisibleRows(list: ElementRef, rows: RowPositions, box?: ElementRef): VisibleRows {
  const [range, setRange] = useState<VisibleRows>(() => visibleRows({ rows, topPixels: 0, windowPixels: innerHeight }))
  const isShown = useRef(false)
  useLayoutEffect(() => {
    const measure = () => {
      const listTop = list.current?.getBoundingClientRect().top
      if (listTop === undefined) return
      const frame = box?.current?.getBoundingClientRect()
      const topPixels = listTop - (frame?.top ?? 0)
      const next = visibleRows({ rows, topPixels, windowPixels: frame?.height ?? innerHeight })
      setRange((current) => (current.first === next.first && current.end === next.end ? current : next))
    }
    // Rendered as a transition, so that fast scrolling is not blocked.
    const onMove = () => startTransition(measure)
    const scrolled = box?.current ?? window
    // The first time, the observer measures after the browser's own layout. A layout in the task that renders a long list takes too long.
    if (isShown.current) measure()
    isShown.current = true
    scrolled.addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    // The list moves without scrolling when content above it changes its height.
    const observer = new ResizeObserver(onMove)
    observer.observe(document.body)
    return () => {
      observer.disconnect()
      scrolled.removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [list, rows, box])
  return range
}
