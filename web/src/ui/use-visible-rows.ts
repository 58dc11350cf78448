import { startTransition, useLayoutEffect, useState, type RefObject } from 'react'
import { visibleRows, type VisibleRows } from './visible-rows.ts'

type ElementRef = RefObject<HTMLElement | null>

/** The rows of a list that are in or near the window, while the page scrolls, or those in and near a box that scrolls. */
export function useVisibleRows(list: ElementRef, count: number, rowPixels: number, box?: ElementRef): VisibleRows {
  const [rows, setRows] = useState<VisibleRows>(() => visibleRows({ count, rowPixels, topPixels: 0, windowPixels: innerHeight }))
  useLayoutEffect(() => {
    const measure = () => {
      const listTop = list.current?.getBoundingClientRect().top
      if (listTop === undefined) return
      const frame = box?.current?.getBoundingClientRect()
      const topPixels = listTop - (frame?.top ?? 0)
      const next = visibleRows({ count, rowPixels, topPixels, windowPixels: frame?.height ?? innerHeight })
      setRows((current) => (current.first === next.first && current.end === next.end ? current : next))
    }
    // Rows are made in slices, so that a fast scroll is never held up by them.
    const onMove = () => startTransition(measure)
    const scrolled = box?.current ?? window
    measure()
    scrolled.addEventListener('scroll', onMove, { passive: true })
    addEventListener('resize', onMove)
    // The list moves without a scroll when what is above it gets higher or lower.
    const observer = new ResizeObserver(onMove)
    observer.observe(document.body)
    return () => {
      observer.disconnect()
      scrolled.removeEventListener('scroll', onMove)
      removeEventListener('resize', onMove)
    }
  }, [list, count, rowPixels, box])
  return rows
}
