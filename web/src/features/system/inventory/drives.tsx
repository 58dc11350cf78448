import { useMutation } from '@tanstack/react-query'
import { refreshDrives, type Drive } from '../../../api/inventory.ts'
import { messageOf } from '../../../api/request-failed.ts'
import type { System } from '../../../api/system-record.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import * as words from '../../../words/messages.js'
import type { PageCharts } from '../page-charts.ts'
import { Action } from './action.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { driveColumns } from './things.tsx'

const DriveCharts = onDemand(async () => (await import('./drive-charts.tsx')).DriveCharts)

const AGE_INTERVAL_MS = 60_000

type DrivesProps = { system: System; page: PageCharts; drives: readonly Drive[]; mayAsk: boolean; onRead: () => void }

/**
 * React component: table of a system's drives with health, and their charts; nothing without drives. With `mayAsk` (user may write), a
 * button makes the agent read the drives now; `onRead` is called afterwards.
 */
export function Drives({ system, page, drives, mayAsk, onRead }: DrivesProps) {
  const now = useNow(AGE_INTERVAL_MS)
  const formats = useFormats()
  const reading = useMutation({ mutationFn: () => refreshDrives(system.id), onSettled: onRead })
  if (drives.length === 0) return null
  return (
    <>
      <InventoryTable
        table="drives"
        title={words.drives()}
        columns={driveColumns(now, formats)}
        rows={drives}
        keyOf={({ id }) => id}
        textOf={({ name, model }) => `${name} ${model}`}
      >
        {reading.isError && <span className="text-note text-crit">{messageOf(reading.error)}</span>}
        {mayAsk && <Action onPress={() => reading.mutate()}>{reading.isPending ? words.reading_drives() : words.read_drives()}</Action>}
      </InventoryTable>
      <LoadedPart>
        <DriveCharts system={system} drives={drives} page={page} />
      </LoadedPart>
    </>
  )
}
