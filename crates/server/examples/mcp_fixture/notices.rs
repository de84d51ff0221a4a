//! Tools that say how they are doing before they answer.
#![allow(deprecated)] // log messages are, and the suite checks them

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam};
use rmcp::service::RequestContext;

const STEP: Duration = Duration::from_millis(50);

pub async fn answer(tool: &str, context: &RequestContext<RoleServer>) -> Option<CallToolResult> {
    match tool {
        "test_tool_with_logging" => log(context, &["One", "Two", "Three"]).await,
        "test_logging_tool" => log(context, &["Working"]).await,
        "test_tool_with_progress" => progress(context).await,
        _ => return None,
    }
    Some(CallToolResult::success(vec![ContentBlock::text("Done.")]))
}

/// A client of the present revision is told only what it asked to be told with the request.
async fn log(context: &RequestContext<RoleServer>, messages: &[&str]) {
    if context.meta.protocol_version().is_some() && context.meta.log_level().is_none() {
        return;
    }
    for message in messages {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, (*message).into());
        let _ = context.peer.notify_logging_message(message).await;
        tokio::time::sleep(STEP).await;
    }
}

async fn progress(context: &RequestContext<RoleServer>) {
    let token = context.meta.get_progress_token();
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = &token {
            let _ = context.peer.notify_progress(ProgressNotificationParam::new(token.clone(), done).with_total(100.0)).await;
        }
        tokio::time::sleep(STEP).await;
    }
}
