import { startTransition, useLayoutEffect, useState, type RefObject } from 'react'
import { equalRows, visibleRows, type VisibleRows } from '../../ui/visible-rows.ts'

/**
 * Number of columns, 40, up to which a table renders all columns. With more, it renders only columns near the visible area, at equal width.
 */
const ALL_DRAWN = 40

/** Width in px of each column of the chart's table when only the columns near the visible area are rendered: 160. */
export const COLUMN_PIXELS = 160

/**
 * React hook: returns the index range `[first, end)` of the table columns in or near the visible area of the scroll container `box`, which
 * are to render. With at most 40 columns it is all.
 */
export function useNearColumns(box: RefObject<HTMLElement | null>, count: number): VisibleRows {
  const isPart = count > ALL_DRAWN
  const [columns, setColumns] = useState<VisibleRows>(() => near(count, 0, innerWidth))
  useLayoutEffect(() => {
    const scrolled = box.current
    if (scrolled === null || !isPart) return
    const measure = () => {
      const next = near(count, scrolled.scrollLeft, scrolled.clientWidth)
      setColumns((current) => (current.first === next.first && current.end === next.end ? current : next))
    }
    const onMove = () => startTransition(measure)
    measure()
    scrolled.addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    return () => {
      scrolled.removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [box, count, isPart])
  return isPart ? columns : { first: 0, end: count }
}

const near = (count: number, leftPixels: number, windowPixels: number): VisibleRows =>
  visibleRows({ rows: equalRows(count, COLUMN_PIXELS), topPixels: -leftPixels, windowPixels })
