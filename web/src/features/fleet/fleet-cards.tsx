import { healthOf } from '../../api/system-health.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { ageText } from './age-text.ts'
import { FleetCard } from './fleet-card.tsx'
import type { FleetRowsProps } from './fleet-table.tsx'

const CARD_PIXELS = 88

/** The systems on a phone: three lines each, nothing scrolls sideways. */
export function FleetCards({ systems, alertNames, addressOf, now, mayChange, onDialog }: FleetRowsProps) {
  const formats = useFormats()
  return (
    <VirtualList as="ul" rows={systems} rowPixels={CARD_PIXELS} className="card overflow-hidden">
      {(system) => {
        const health = healthOf(system, now)
        return (
          <FleetCard
            key={system.id}
            system={system}
            alertNames={alertNames.get(system.id)}
            address={addressOf(system)}
            health={health}
            age={ageText(system, health, now, formats)}
            mayChange={mayChange}
            onDialog={onDialog}
          />
        )
      }}
    </VirtualList>
  )
}
