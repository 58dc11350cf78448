import { useMemo } from 'react'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { unequalRows } from '../../ui/unequal-rows.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { FleetCard } from './fleet-card.tsx'
import { systemProps, type FleetRowsProps } from './fleet-model.ts'

/** Pair of heights of a system's card in px: normal and compact layout. They must match CSS `--fleet-card-height`. */
const [CARD_PIXELS, COMPACT_CARD_PIXELS] = [88, 76]
/** Height of the heading of a group in px. It must match its CSS class `h-11`. */
const GROUP_PIXELS = 44

/** React component: virtualized list of systems as cards, for phones. */
export function FleetCards(props: FleetRowsProps) {
  const formats = useFormats()
  const { isCompact } = useSettings()
  const cardPixels = isCompact ? COMPACT_CARD_PIXELS : CARD_PIXELS
  const { lines } = props
  const unequal = useMemo(
    () => (lines[0]?.kind === 'group' ? unequalRows(lines.map(({ kind }) => (kind === 'group' ? GROUP_PIXELS : cardPixels))) : undefined),
    [lines, cardPixels],
  )
  return (
    <VirtualList as="ul" rows={lines} rowPixels={cardPixels} unequal={unequal} className="card overflow-hidden">
      {(line) =>
        line.kind === 'group' ? (
          <li key={line.key} className="h-11 border-b border-border bg-sunken last:border-0">
            {props.renderHeading?.(line)}
          </li>
        ) : (
          <FleetCard key={line.key} {...systemProps(props, line.system, formats)} />
        )
      }
    </VirtualList>
  )
}
