import * as words from '../../words/messages.js'

/** Section of the settings page: `id` is the URL fragment that scrolls to it, `title` returns its translated heading. */
export type SettingsPart = { readonly id: string; readonly title: () => string }

type SettingsGroup = {
  readonly title: () => string
  /** True for a group of sections that only admins see on the settings page; absent otherwise. */
  readonly isForAdmins?: true
  readonly parts: readonly SettingsPart[]
}

/** List of the groups of sections on the settings page, in display order: title and sections of each. */
export const settingsGroups: readonly SettingsGroup[] = [
  { title: () => words.settings_group_dashboard(), parts: [{ id: 'display', title: () => words.settings_display() }] },
  {
    title: () => words.alerts(),
    parts: [
      { id: 'notifications', title: () => words.settings_notifications() },
      { id: 'notification-rules', title: () => words.settings_notification_rules() },
      { id: 'escalation', title: () => words.settings_escalation() },
      { id: 'messages', title: () => words.settings_messages() },
      { id: 'quiet-hours', title: () => words.settings_quiet_hours() },
    ],
  },
  {
    title: () => words.account(),
    parts: [
      { id: 'profile', title: () => words.settings_profile() },
      { id: 'password', title: () => words.settings_password() },
      { id: 'second-factors', title: () => words.second_factors() },
      { id: 'sessions', title: () => words.settings_sessions() },
      { id: 'api-keys', title: () => words.settings_api_keys() },
    ],
  },
  { title: () => words.settings_group_admin(), isForAdmins: true, parts: [{ id: 'access', title: () => words.access() }] },
]
