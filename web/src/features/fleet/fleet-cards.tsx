import { useRef } from 'react'
import { healthOf } from '../../api/system-health.ts'
import { useVisibleRows } from '../../ui/use-visible-rows.ts'
import { ageText } from './age-text.ts'
import { FleetCard } from './fleet-card.tsx'
import type { FleetRowsProps } from './fleet-table.tsx'

const CARD_PIXELS = 88
const BORDER_PIXELS = 2

/** The systems on a phone: three lines each, nothing scrolls sideways. */
export function FleetCards({ systems, alertNames, addressOf, now, mayChange, onDialog }: FleetRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const { first, end } = useVisibleRows(list, systems.length, CARD_PIXELS)

  return (
    <ul ref={list} className="card relative overflow-hidden" style={{ height: systems.length * CARD_PIXELS + BORDER_PIXELS }}>
      {systems.slice(first, end).map((system, index) => {
        const health = healthOf(system, now)
        return (
          <FleetCard
            key={system.id}
            system={system}
            alertNames={alertNames.get(system.id)}
            address={addressOf(system)}
            health={health}
            age={ageText(system, health, now)}
            top={(first + index) * CARD_PIXELS}
            mayChange={mayChange}
            onDialog={onDialog}
          />
        )
      })}
    </ul>
  )
}
