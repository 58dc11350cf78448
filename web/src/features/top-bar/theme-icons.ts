import type { Theme } from '../../preferences/theme.ts'
import type { IconName } from '../../ui/icon.tsx'

export const themeIcons: Readonly<Record<Theme, IconName>> = { light: 'sun', dark: 'moon', system: 'screen' }
