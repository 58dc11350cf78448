import { useMemo, useRef, type ReactElement, type RefObject } from 'react'
import { useAddedRows } from './use-added-rows.ts'
import { useMediaQuery } from './use-media-query.ts'
import { useVisibleRows } from './use-visible-rows.ts'
import { equalRows, type RowPositions } from './visible-rows.ts'

type VirtualListProps<Row> = {
  /** Name of the list's HTML element: `tbody` renders table rows, `ul` list items. */
  as: 'tbody' | 'ul'
  rows: readonly Row[]
  /** Height in px of each row of the virtualized list, unless `unequal` gives other positions. */
  rowPixels: number
  /** Positions of the virtualized list's rows, in px, when not all have the height `rowPixels`. The object must be memoized. */
  unequal?: RowPositions | undefined
  /** React ref of the element around the list that scrolls; absent when the browser window scrolls. */
  box?: RefObject<HTMLElement | null>
  /** True to render all rows of the list instead of the visible ones, which suits short lists. */
  isWhole?: boolean
  className?: string
  /** Function that takes a row of the virtualized list and its index, and returns an element with a React key. */
  children: (row: Row, index: number) => ReactElement
}

/**
 * Maximum number of rows, 16, of a list whose rows are all added to the document in one frame. Longer lists add a few rows in each frame.
 */
const SHORT_LIST = 16

/**
 * React component: virtualized list, which renders only rows in or near the visible area. It renders all rows for print or with `isWhole`.
 */
export function VirtualList<Row>({ as: List, rows, rowPixels, unequal, box, isWhole = false, className, children }: VirtualListProps<Row>) {
  const list = useRef<HTMLElement>(null)
  const equal = useMemo(() => equalRows(rows.length, rowPixels), [rows.length, rowPixels])
  const positions = unequal ?? equal
  const visible = useVisibleRows(list, positions, box)
  const hasAll = useMediaQuery('print') || isWhole
  const { first, end } = hasAll ? { first: 0, end: rows.length } : visible
  const elements = rows.slice(first, end).map((row, index) => children(row, first + index))
  const added = useAddedRows(
    elements.map(({ key }) => key),
    first,
    hasAll || rows.length <= SHORT_LIST,
  )
  const Spacer = List === 'tbody' ? 'tr' : 'li'
  const keep = (element: HTMLElement | null) => {
    list.current = element
  }
  const space = (from: number, to: number, key?: string | null) =>
    from < to && <Spacer key={key} aria-hidden="true" style={{ height: positions.topOf(to) - positions.topOf(from) }} />
  return (
    <List ref={keep} className={className}>
      {space(0, first)}
      {elements.map((element, index) => (added.has(element.key) ? element : space(first + index, first + index + 1, element.key)))}
      {space(end, rows.length)}
    </List>
  )
}
