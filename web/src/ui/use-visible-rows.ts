import { startTransition, useLayoutEffect, useState, type RefObject } from 'react'
import { visibleRows, type VisibleRows } from './visible-rows.ts'

/** The rows of a list that are in or near the window, while the page itself scrolls. */
export function useVisibleRows(list: RefObject<HTMLElement | null>, count: number, rowPixels: number): VisibleRows {
  const [rows, setRows] = useState<VisibleRows>(() => visibleRows({ count, rowPixels, topPixels: 0, windowPixels: innerHeight }))
  useLayoutEffect(() => {
    const measure = () => {
      const topPixels = list.current?.getBoundingClientRect().top
      if (topPixels === undefined) return
      const next = visibleRows({ count, rowPixels, topPixels, windowPixels: innerHeight })
      setRows((current) => (current.first === next.first && current.end === next.end ? current : next))
    }
    // Rows are made in slices, so that a fast scroll is never held up by them.
    const onMove = () => startTransition(measure)
    measure()
    addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    return () => {
      removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [list, count, rowPixels])
  return rows
}
