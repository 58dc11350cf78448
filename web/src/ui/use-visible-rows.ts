import { useLayoutEffect, useState, type RefObject } from 'react'
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
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [list, count, rowPixels])
  return rows
}
