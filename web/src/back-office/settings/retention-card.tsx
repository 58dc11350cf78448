import { numberOf } from '../../api/json.ts'
import { formatBytes } from '../../format/bytes.ts'
import type { Formats } from '../../format/formats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import * as words from '../../words/messages.js'
import { valueAt, type FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'

const PATH = '/api/vedette/settings/retention'

/** React component: settings card for how long the history is kept, with a forecast of its size at the current rate. */
export function RetentionCard() {
  const formats = useFormats()
  const { query: retention, save } = useStoredSettings(PATH)
  return (
    <Card title={words.office_retention()} description={words.office_retention_about()}>
      <Awaited placeholder="h-24" query={retention}>
        {(stored) => (
          <>
            <p className="mb-3 text-note">
              {words.office_forecast({
                stored: bytesAt(stored, 'forecast.storedBytes', formats),
                perDay: bytesAt(stored, 'forecast.bytesPerDay', formats),
                final: bytesAt(stored, 'forecast.finalBytes', formats),
              })}
            </p>
            <SettingsForm fields={fields()} stored={stored} save={save} />
          </>
        )}
      </Awaited>
    </Card>
  )
}

const fields = (): readonly FormField[] => [
  { path: 'days.1m', label: words.office_days_minutes(), type: 'number' },
  { path: 'days.10m', label: words.office_days_tens(), type: 'number' },
  { path: 'days.2h', label: words.office_days_hours(), type: 'number' },
  { path: 'mostBytes', label: words.office_most_bytes(), type: 'number', hint: words.office_most_bytes_hint() },
]

function bytesAt(stored: unknown, path: string, formats: Formats): string {
  const bytes = numberOf(valueAt(stored, path))
  return bytes === undefined ? '–' : formatBytes(bytes, formats)
}
