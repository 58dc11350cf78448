import { messageOf } from '../../api/request-failed.ts'
import { languages } from '../../preferences/language.ts'
import { chooseLanguage, chosenLanguage } from '../../preferences/preferences.ts'
import type { Settings } from '../../preferences/settings.ts'
import { storedChange } from '../../preferences/stored-change.ts'
import { useSettings } from '../../preferences/use-preferences.ts'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { settingFields } from './setting-fields.ts'
import { Card } from '../../ui/card.tsx'
import { useChangeSettings } from '../../preferences/use-change-settings.ts'

const BROWSER = 'browser'

/**
 * React component: settings card with fields for language, units, formats and layout. Each change applies at once; it is saved to the
 * account, except for the language, which is saved in this browser.
 */
export function ChoicesCard() {
  const settings = useSettings()
  const saving = useChangeSettings()
  const choose = (change: Partial<Settings>) =>
    saving.mutate(
      { merge: storedChange(change) },
      { onError: (error) => showToast({ title: words.settings_failed(), description: messageOf(error), look: 'destructive' }) },
    )
  return (
    <Card id="display" title={words.settings_display()} description={words.settings_display_about()}>
      <Select
        label={words.setting_language()}
        hint={words.setting_language_about()}
        choices={[{ value: BROWSER, label: words.setting_by_browser() }, ...languages.map(({ id, name }) => ({ value: id, label: name }))]}
        value={chosenLanguage() ?? BROWSER}
        onChange={(language) => chooseLanguage(language === BROWSER ? undefined : language)}
      />
      {settingFields(settings).map(({ id, label, hint, choices, valueOf, changeOf }) => (
        <Select
          key={id}
          label={label}
          {...(hint === undefined ? {} : { hint })}
          choices={choices}
          value={valueOf(settings)}
          onChange={(value) => choose(changeOf(value))}
        />
      ))}
      <output className="block h-4 text-small text-muted">
        {saving.isPending ? words.settings_saving() : saving.isSuccess && words.settings_saved()}
      </output>
    </Card>
  )
}
