import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { FleetCard } from './fleet-card.tsx'
import { systemProps, type FleetRowsProps } from './fleet-model.ts'

/** Pair of heights of a system's card in px: normal and compact layout. They must match CSS `--fleet-card-height`. */
const [CARD_PIXELS, COMPACT_CARD_PIXELS] = [88, 76]

/** React component: virtualized list of systems as cards, for phones. */
export function FleetCards(props: FleetRowsProps) {
  const formats = useFormats()
  const { isCompact } = useSettings()
  return (
    <VirtualList as="ul" rows={props.systems} rowPixels={isCompact ? COMPACT_CARD_PIXELS : CARD_PIXELS} className="card overflow-hidden">
      {(system) => <FleetCard key={system.id} {...systemProps(props, system, formats)} />}
    </VirtualList>
  )
}
