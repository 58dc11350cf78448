import { defineConfig } from 'vite'
import { pageConfig } from './build/page-config.ts'

/** The back-office: a page and a bundle of its own in the folder `_`, beside the dashboard's and apart from it. */
export default defineConfig({ ...pageConfig('back-office', '../dist/_'), publicDir: false })
