import { useRef, type ReactNode, type RefObject } from 'react'
import { useMediaQuery } from './use-media-query.ts'
import { useVisibleRows } from './use-visible-rows.ts'

type VirtualListProps<Row> = {
  /** Rows of a table, or of a list. */
  as: 'tbody' | 'ul'
  rows: readonly Row[]
  /** The height of each row. */
  rowPixels: number
  /** The box that scrolls; without one, the page. */
  box?: RefObject<HTMLElement | null>
  /** All rows exist: there are few. */
  isWhole?: boolean
  className?: string
  /** Draws one row, with a key. */
  children: (row: Row, index: number) => ReactNode
}

/** Rows of equal height of which only those in and near the window exist, and on paper all. */
export function VirtualList<Row>({ as: List, rows, rowPixels, box, isWhole = false, className, children }: VirtualListProps<Row>) {
  const list = useRef<HTMLElement>(null)
  const visible = useVisibleRows(list, rows.length, rowPixels, box)
  const { first, end } = useMediaQuery('print') || isWhole ? { first: 0, end: rows.length } : visible
  const Spacer = List === 'tbody' ? 'tr' : 'li'
  const keep = (element: HTMLElement | null) => {
    list.current = element
  }
  return (
    <List ref={keep} className={className}>
      {first > 0 && <Spacer aria-hidden="true" style={{ height: first * rowPixels }} />}
      {rows.slice(first, end).map((row, index) => children(row, first + index))}
      {end < rows.length && <Spacer aria-hidden="true" style={{ height: (rows.length - end) * rowPixels }} />}
    </List>
  )
}
