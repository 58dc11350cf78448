import type { ReactElement } from 'react'
import { chooseTheme, themes, type Theme } from '../../preferences/theme.ts'
import { useThemeChoice } from '../../preferences/use-theme.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuChoices } from '../../ui/menu.tsx'
import * as words from '../../words/messages.js'
import { themeIcons } from './theme-icons.ts'

const names: Readonly<Record<Theme, () => string>> = { light: words.theme_light, dark: words.theme_dark, system: words.theme_system }

export function ThemeMenu({ trigger }: { trigger: ReactElement }) {
  const choices = themes.map((theme) => ({
    value: theme,
    label: (
      <>
        <Icon name={themeIcons[theme]} className="size-4 text-muted" />
        {names[theme]()}
      </>
    ),
  }))
  return (
    <Menu trigger={trigger}>
      <MenuChoices choices={choices} value={useThemeChoice()} onChange={chooseTheme} />
    </Menu>
  )
}
