" SPDX-License-Identifier: Apache-2.0
" Type :compiler heddle, then :make %. The quickfix list gets the place of the violation, or the place that the reason of an UNKNOWN names.
if exists("current_compiler") | finish | endif
let current_compiler = "heddle"
CompilerSet makeprg=heddle\ --color\ never\ --layout\ lines
CompilerSet errorformat=%f:%l:%c:\ error:\ %m,%f:%l:%c:\ undefined\ behaviour:\ %m,%f:%l:%c:\ %m,%f:%l:\ %m,%-G%.%#
