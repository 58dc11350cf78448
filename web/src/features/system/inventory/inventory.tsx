import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { signedInUser } from '../../../api/client.ts'
import { inventoryQuery } from '../../../api/inventory.ts'
import { messageOf } from '../../../api/request-failed.ts'
import type { System } from '../../../api/system-record.ts'
import { useSeen } from '../../../chart/use-seen.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { useDialog } from '../../../navigation/use-dialog.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import * as words from '../../../words/messages.js'
import type { PageCharts } from '../page-charts.ts'
import { Action } from './action.tsx'
import { Containers } from './containers.tsx'
import { Drives } from './drives.tsx'
import { Services } from './services.tsx'

const DoctorDialog = onDemand(async () => (await import('./doctor.tsx')).DoctorDialog)

/**
 * React component: section with a system's containers, services and drives, and a button for the agent's diagnostics (not for read-only
 * users). Its data are loaded when it comes near the viewport, or when the URL opens the dialog of one item.
 */
export function Inventory({ system, ...page }: { system: System } & PageCharts) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const isDialogAddressed = useDialog().item !== ''
  const { data, isError, error, refetch } = useQuery({
    ...inventoryQuery(system.id, system.latest.sampledAtMs),
    // A dialog in the URL may refer to an item of the inventory.
    enabled: isSeen || isDialogAddressed,
    placeholderData: (previous) => previous,
  })
  const mayAsk = signedInUser()?.role !== 'readonly'

  return (
    <div ref={place} className="min-h-10">
      {isError && data === undefined && (
        <output className="mt-6 flex flex-wrap items-center gap-2 text-note text-muted">
          {words.inventory_failed()} {messageOf(error)}
          <Action onPress={() => void refetch()}>{words.retry()}</Action>
        </output>
      )}
      {data !== undefined && (
        <>
          <Containers systemId={system.id} containers={data.containers} />
          <Services systemId={system.id} services={data.services} />
          <Drives system={system} page={page} drives={data.drives} mayAsk={mayAsk} onRead={() => void refetch()} />
        </>
      )}
      {mayAsk && <DoctorHint system={system} />}
    </div>
  )
}

function DoctorHint({ system: { id, name } }: { system: System }) {
  const { dialog, open, close } = useDialog()
  return (
    <p className="mt-7 text-note text-muted">
      {words.doctor_hint()} <Action onPress={() => open('agent')}>{words.doctor_open()}</Action>
      <LoadedPart>{dialog === 'agent' && <DoctorDialog systemId={id} name={name} onClose={close} />}</LoadedPart>
    </p>
  )
}
