import { useQuery } from '@tanstack/react-query'
import { ownValue } from '@vedette/protocol/own-value'
import { getJson } from '../../api/client.ts'
import { numberOf, recordOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { formatBytes } from '../../format/bytes.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'

/** React component: sheet of the back-office that shows the size of the hub's log and edits its settings: retention and minimum level. */
export function LogSettings({ onClose }: { onClose: () => void }) {
  const formats = useFormats()
  const { query: settings, save } = useStoredSettings('/api/settings')
  const size = useQuery({
    queryKey: officeKeys.logSize,
    queryFn: async ({ signal }) => recordOf(await getJson('/api/vedette/logs/size', signal)),
  })
  const [entries, bytes, oldest] = ['entries', 'bytes', 'oldest'].map((name) => numberOf(ownValue(size.data, name)))
  const about =
    oldest === undefined
      ? words.office_log_kept_about()
      : words.office_log_size({
          count: entries ?? 0,
          bytes: formatBytes(bytes ?? 0, formats),
          since: formatTime(oldest, 'dayAndTime', formats),
        })
  return (
    <Sheet title={words.office_log_settings()} description={about} onClose={onClose}>
      <Awaited placeholder="h-24" query={settings}>
        {(stored) => <SettingsForm fields={fields()} stored={stored} save={save} />}
      </Awaited>
    </Sheet>
  )
}

const fields = (): readonly FormField[] => [
  { path: 'logs.maxDays', label: words.office_log_days(), type: 'number', hint: words.office_log_days_hint() },
  { path: 'logs.maxRows', label: words.office_log_rows(), type: 'number', hint: words.office_log_rows_hint() },
  { path: 'logs.maxBytes', label: words.office_most_bytes(), type: 'number' },
  { path: 'logs.minLevel', label: words.office_log_least(), type: 'number', hint: words.office_log_least_hint() },
  { path: 'logs.logIP', label: words.office_log_keep_addresses(), type: 'flag' },
  { path: 'logs.logAuthId', label: words.office_log_keep_users(), type: 'flag' },
]
