//! Lists that change when a tool says so, for those who listen.

use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::service::SubscriptionContext;
use tokio::sync::broadcast::{self, Sender};

#[derive(Clone, Copy)]
enum Change {
    Tools,
    Prompts,
}

#[derive(Clone)]
pub struct Changes(Sender<Change>);

impl Default for Changes {
    fn default() -> Changes {
        Changes(broadcast::channel(16).0)
    }
}

impl Changes {
    pub fn answer(&self, tool: &str) -> Option<CallToolResult> {
        let change = match tool {
            "test_trigger_tool_change" => Change::Tools,
            "test_trigger_prompt_change" => Change::Prompts,
            _ => return None,
        };
        let _ = self.0.send(change); // nobody listens: nobody is told
        Some(CallToolResult::success(vec![ContentBlock::text("Changed.")]))
    }

    pub async fn tell(&self, subscription: &SubscriptionContext) {
        let mut changes = self.0.subscribe();
        loop {
            let change = tokio::select! {
                () = subscription.cancelled() => return,
                change = changes.recv() => change,
            };
            // The sink refuses what the client did not ask for.
            let _ = match change {
                Ok(Change::Tools) => subscription.sink().notify_tool_list_changed().await,
                Ok(Change::Prompts) => subscription.sink().notify_prompt_list_changed().await,
                Err(_) => return,
            };
        }
    }
}
