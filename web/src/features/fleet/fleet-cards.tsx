import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { FleetCard } from './fleet-card.tsx'
import { systemProps, type FleetRowsProps } from './fleet-model.ts'

/** As `--fleet-card-height`. */
const [CARD_PIXELS, COMPACT_CARD_PIXELS] = [88, 76]

/** The systems on a phone: three lines each, nothing scrolls sideways. */
export function FleetCards(props: FleetRowsProps) {
  const formats = useFormats()
  const { isCompact } = useSettings()
  return (
    <VirtualList as="ul" rows={props.systems} rowPixels={isCompact ? COMPACT_CARD_PIXELS : CARD_PIXELS} className="card overflow-hidden">
      {(system) => <FleetCard key={system.id} {...systemProps(props, system, formats)} />}
    </VirtualList>
  )
}
