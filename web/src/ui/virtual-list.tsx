import { useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { useMediaQuery } from './use-media-query.ts'
import { useVisibleRows } from './use-visible-rows.ts'
import { equalRows, unequalRows } from './visible-rows.ts'

type VirtualListProps<Row> = {
  /** Name of the list's HTML element: `tbody` renders table rows, `ul` list items. */
  as: 'tbody' | 'ul'
  rows: readonly Row[]
  /** Height of a row in px. */
  rowPixels: number
  /** Function that returns the height of a row in px, when not all rows have the height `rowPixels`. It must be memoized. */
  pixelsOf?: ((row: Row) => number) | undefined
  /** React ref of the element around the list that scrolls; absent when the browser window scrolls. */
  box?: RefObject<HTMLElement | null>
  /** True to render all rows instead of the visible ones, for short lists. */
  isWhole?: boolean
  className?: string
  /** Function that renders one row of the list, an element with a React key. */
  children: (row: Row, index: number) => ReactNode
}

/** React component: virtualized list that renders only rows in or near the visible area, and all rows for print. */
export function VirtualList<Row>({
  as: List,
  rows,
  rowPixels,
  pixelsOf,
  box,
  isWhole = false,
  className,
  children,
}: VirtualListProps<Row>) {
  const list = useRef<HTMLElement>(null)
  const equal = useMemo(() => equalRows(rows.length, rowPixels), [rows.length, rowPixels])
  const unequal = useMemo(() => pixelsOf && unequalRows(rows.map(pixelsOf)), [rows, pixelsOf])
  const positions = unequal ?? equal
  const visible = useVisibleRows(list, positions, box)
  const { first, end } = useMediaQuery('print') || isWhole ? { first: 0, end: rows.length } : visible
  const Spacer = List === 'tbody' ? 'tr' : 'li'
  const keep = (element: HTMLElement | null) => {
    list.current = element
  }
  return (
    <List ref={keep} className={className}>
      {first > 0 && <Spacer aria-hidden="true" style={{ height: positions.topOf(first) }} />}
      {rows.slice(first, end).map((row, index) => children(row, first + index))}
      {end < rows.length && <Spacer aria-hidden="true" style={{ height: positions.topOf(rows.length) - positions.topOf(end) }} />}
    </List>
  )
}
