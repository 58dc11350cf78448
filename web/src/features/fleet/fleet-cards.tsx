import { useMemo } from 'react'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { unequalRows } from '../../ui/unequal-rows.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { FleetCard } from './fleet-card.tsx'
import { systemProps, type FleetRowsProps } from './fleet-model.ts'

/**
 * Pair of heights in px of a system's card in the list: 88 in the normal, 76 in the compact layout. They must match the CSS property
 * `--fleet-card-height`.
 */
const [CARD_PIXELS, COMPACT_CARD_PIXELS] = [88, 76]
/** Height in px, 44, of a group's heading in the list of systems. It must match its CSS class `h-11`. */
const GROUP_PIXELS = 44

/** React component: list of systems as cards instead of table rows, for phones. Only cards near the visible area are rendered. */
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
