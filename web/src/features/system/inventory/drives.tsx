import { useMutation } from '@tanstack/react-query'
import { refreshDrives, type Drive } from '../../../api/inventory.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import * as words from '../../../words/messages.js'
import { Action } from './action.tsx'
import { InventoryTable } from './inventory-table.tsx'
import { driveColumns } from './things.tsx'

const AGE_INTERVAL_MS = 60_000

type DrivesProps = { systemId: string; drives: readonly Drive[]; mayAsk: boolean; onRead: () => void }

/** The drives and what they say of their health; who manages the system may have them read now. */
export function Drives({ systemId, drives, mayAsk, onRead }: DrivesProps) {
  const now = useNow(AGE_INTERVAL_MS)
  const formats = useFormats()
  const reading = useMutation({ mutationFn: () => refreshDrives(systemId), onSettled: onRead })
  if (drives.length === 0) return null
  return (
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
  )
}
