import { numberOf } from '../../api/json.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { bytesText } from '../bytes-text.ts'
import * as words from '../../words/messages.js'
import { valueAt, type FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'

const PATH = '/api/vedette/settings/retention'

/** How long history is kept, and what that takes at today's rate. */
export function RetentionCard() {
  const { query: retention, save } = useStoredSettings(PATH)
  return (
    <Card title={words.office_retention()} description={words.office_retention_about()}>
      <Awaited placeholder="h-24" query={retention}>
        {(stored) => (
          <>
            <p className="mb-3 text-note">
              {words.office_forecast({
                stored: bytesAt(stored, 'forecast.storedBytes'),
                perDay: bytesAt(stored, 'forecast.bytesPerDay'),
                final: bytesAt(stored, 'forecast.finalBytes'),
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

function bytesAt(stored: unknown, path: string): string {
  const bytes = numberOf(valueAt(stored, path))
  return bytes === undefined ? '–' : bytesText(bytes)
}
