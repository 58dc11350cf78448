import { defineConfig } from 'vite'
import { pageConfig } from './build/page-config.ts'

/**
 * Vite options that build the back-office (admin pages) as a page and bundle of its own, in the folder `_` beside the dashboard's build.
 */
export default defineConfig({ ...pageConfig('back-office', '../dist/_'), publicDir: false })
